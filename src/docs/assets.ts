/** The static files of the documentation: our own, and the library of the search. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type AssetFile, createAssets } from './asset-files.ts';

const own = (name: string, type: string): [string, AssetFile] => [
  name,
  { file: new URL(`../../docs/assets/${name}`, import.meta.url), type },
];

/** MiniSearch as the module that browsers import. */
const minisearch = new URL(
  '../es/index.js',
  pathToFileURL(createRequire(import.meta.url).resolve('minisearch')),
);

const scripts = [
  'site.js',
  'search.js',
  'search-terms.js',
  'try-operation.js',
  'webhook-tester.js',
  'verify-receipt.js',
];

const sources = new Map<string, AssetFile>([
  ['minisearch.js', { file: minisearch, type: 'text/javascript' }],
  ...scripts.map((name) => own(name, 'text/javascript')),
  own('base.css', 'text/css'),
  own('style.css', 'text/css'),
  own('code.css', 'text/css'),
  own('icon.svg', 'image/svg+xml'),
]);
export const loadAsset = createAssets(sources);
