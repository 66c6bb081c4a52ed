/** Cuts pages into the sections that the search finds. */

import { marked, type Token, type Tokens } from 'marked';
import type { Section } from '../../../docs/assets/search-terms.js';
import { own } from '../../platform/text/own.ts';
import { createIds, type Ids, plain } from '../render/plain.ts';
import type { Source } from '../site/site.ts';

const excerptLength = 150;

/** A guide explains; a list mentions. */
const weights: Readonly<Record<string, number>> = {
  Start: 1.2,
  Guides: 1.5,
  Errors: 0.65,
  Reference: 0.6,
  Deploy: 0.9,
  Manage: 0.9,
  Networks: 0.9,
  Operate: 0.9,
  Project: 0.6,
};

/** Pages of single operations mention many words: readers who look for one know its name. */
const operationPages: Readonly<Record<string, number>> = { reference: 0.45, management: 0.2 };

/** The sections of a client repeat what a guide explains. */
const clientSection = 0.4;

type Found = Omit<Section, 'id'>;

interface Part {
  heading: string;
  anchor: string;
  tokens: Token[];
}

/** One for each heading, with what stands below it up to the next, and one for each row that has an anchor. */
export function sectionsOf(source: Source): Found[] {
  const ids = createIds();
  const parts = partsOf(source, ids);
  return parts.flatMap((part) => [
    sectionOf(source, part),
    ...part.tokens
      .filter(({ type }) => type === 'table')
      .flatMap((table) => rowsOf(source, table as Tokens.Table, ids)),
  ]);
}

/** The page of an error, or of an operation with its schemas, is one part. */
function partsOf({ text, path }: Source, ids: Ids): Part[] {
  const isWhole = /^\/docs\/(errors|reference|management)\//.test(path);
  const parts: Part[] = [];
  for (const token of marked.lexer(text)) {
    if (token.type !== 'heading' || (isWhole && parts.length > 0)) parts.at(-1)?.tokens.push(token);
    else {
      const { depth, text: written } = token as Tokens.Heading;
      const id = ids.ofHeading(written);
      parts.push({
        heading: depth === 1 ? '' : plain(written),
        anchor: depth === 1 ? '' : `#${id}`,
        tokens: [],
      });
    }
  }
  return parts;
}

function sectionOf(
  { path, title, label, keywords, sectionKeywords = {}, group }: Source,
  { heading, anchor, tokens }: Part,
): Found {
  const text = tokens.map(textOf).join(' ').replace(/\s+/g, ' ').trim();
  const isPage = heading === '';
  return {
    path: path + anchor,
    title,
    heading,
    keywords: isPage ? `${label} ${keywords}` : (own(sectionKeywords, heading) ?? ''),
    names: namesIn(tokens),
    text,
    group,
    excerpt: excerptOf(text),
    weight: weightOf(path, group, isPage),
  };
}

function weightOf(path: string, group: string, isPage: boolean): number {
  if (!isPage && path.startsWith('/docs/sdks/')) return clientSection;
  const [, list = ''] = /^\/docs\/(\w+)\/\w/.exec(path) ?? [];
  return own(operationPages, list) ?? (own(weights, group) ?? 1) * (isPage ? 1.3 : 1);
}

function rowsOf({ path, title, group }: Source, { rows }: Tokens.Table, ids: Ids): Found[] {
  return rows.flatMap((cells) => {
    const id = ids.ofRow(cells[0]?.text ?? '');
    if (id === undefined) return [];
    const [heading = '', ...rest] = cells.map(({ text }) => plain(text));
    const text = rest.filter((one) => one !== '').join(' · ');
    const found = { path: `${path}#${id}`, title, heading, keywords: '', names: '', text, group };
    return [{ ...found, excerpt: excerptOf(text), weight: 1.2 }];
  });
}

function textOf(token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].map((cells) => cells.map(({ text }) => plain(text)).join(' ')).join('\n');
  }
  if (token.type === 'code') return (token as Tokens.Code).text;
  return plain(token.type === 'list' ? token.raw : 'text' in token ? String(token.text) : '');
}

/** What is written as code in running text and tables. */
function namesIn(tokens: readonly Token[]): string {
  const found = tokens
    .filter(({ type }) => type !== 'code')
    .flatMap(({ raw }) => [...raw.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name));
  return [...new Set(found)].join(' ');
}

function excerptOf(text: string): string {
  if (text.length <= excerptLength) return text;
  const cut = text.slice(0, excerptLength);
  return `${cut.slice(0, cut.lastIndexOf(' '))} …`;
}
