/** The static files of the documentation: our own, the reference's library from `vendor`, and that of the search. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type AssetFile, createAssets } from './asset-files.ts';

const scalar = new URL('../../vendor/scalar/', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('origin.json', scalar), 'utf8')) as { version: string };

/** Scalar's standalone script: 3.5 MB, a third of it compressed. `npm run vendor:scalar` updates it. */
export const scalarName = `scalar-${version}.js`;

const own = (name: string, type: string): [string, AssetFile] => [
  name,
  { file: new URL(`../../docs/assets/${name}`, import.meta.url), type, immutable: false },
];

/** MiniSearch as the module that browsers import. */
const minisearch = new URL(
  '../es/index.js',
  pathToFileURL(createRequire(import.meta.url).resolve('minisearch')),
);

const scripts = [
  'reference.js',
  'no-eval.js',
  'site.js',
  'search.js',
  'search-terms.js',
  'webhook-tester.js',
  'verify-receipt.js',
];

const sources = new Map<string, AssetFile>([
  [scalarName, { file: new URL('standalone.js', scalar), type: 'text/javascript', immutable: true }],
  ['minisearch.js', { file: minisearch, type: 'text/javascript', immutable: false }],
  ...scripts.map((name) => own(name, 'text/javascript')),
  own('tokens.css', 'text/css'),
  own('style.css', 'text/css'),
  own('code.css', 'text/css'),
  own('icon.svg', 'image/svg+xml'),
]);
export const loadAsset = createAssets(sources);
