/** Builds the index of the search from all pages. */
import MiniSearch from 'minisearch';
import { indexOptions, type Section } from '../../../docs/assets/search-terms.js';
import type { Source } from '../site/site.ts';
import { sectionsOf } from './sections.ts';

export function buildIndex(sources: readonly Source[]): MiniSearch<Section> {
  const index = new MiniSearch<Section>(indexOptions);
  index.addAll(sources.flatMap(sectionsOf).map((section, id) => ({ ...section, id })));
  return index;
}
