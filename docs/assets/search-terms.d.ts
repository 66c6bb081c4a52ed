/** What the server knows of search-terms.js. */
import type MiniSearch from 'minisearch';
import type { Options, SearchResult } from 'minisearch';

/** A section of a page, as it is indexed. */
export interface Section {
  id: number;
  /** With its anchor, from the root of the service. */
  path: string;
  /** Of the page. */
  title: string;
  /** Of the section; empty for the beginning of a page. */
  heading: string;
  /** Words that readers search the page by, and that it does not use. */
  keywords: string;
  /** Names in code: paths, properties, settings. */
  names: string;
  text: string;
  group: string;
  /** What is shown of it. */
  excerpt: string;
  /** What its matches count, beside those of others. */
  weight: number;
}

export const indexOptions: Options<Section>;
export function search(index: MiniSearch<Section>, query: string, limit?: number): (SearchResult & Section)[];
