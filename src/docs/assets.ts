/** The static files of the documentation: our own, the reference's library from `vendor`, and that of the search. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export interface Asset {
  type: string;
  body: Buffer;
  gzipped: Buffer;
  /** Subresource Integrity: `sha384-…`. */
  integrity: string;
  /** True when the name changes with the content, so that it may be kept for good. */
  immutable: boolean;
}

interface Source {
  file: URL;
  type: string;
  immutable: boolean;
}

const scalar = new URL('../../vendor/scalar/', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('origin.json', scalar), 'utf8')) as { version: string };

/** Scalar's standalone script: 3.5 MB, a third of it compressed. `npm run vendor:scalar` updates it. */
export const scalarName = `scalar-${version}.js`;

const own = (name: string, type: string): [string, Source] => [
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

const sources = new Map<string, Source>([
  [scalarName, { file: new URL('standalone.js', scalar), type: 'text/javascript', immutable: true }],
  ['minisearch.js', { file: minisearch, type: 'text/javascript', immutable: false }],
  ...scripts.map((name) => own(name, 'text/javascript')),
  own('style.css', 'text/css'),
  own('code.css', 'text/css'),
  own('icon.svg', 'image/svg+xml'),
]);
const loaded = new Map<string, Promise<Asset>>();

/** Undefined if the file does not exist. Files are read on first use and cached. */
export function loadAsset(name: string): Promise<Asset> | undefined {
  const source = sources.get(name);
  if (source === undefined) return undefined;
  const asset = loaded.get(name) ?? read(source);
  loaded.set(name, asset);
  return asset;
}

async function read({ file, type, immutable }: Source): Promise<Asset> {
  const body = readFileSync(file);
  return {
    type,
    body,
    gzipped: await promisify(gzip)(body),
    integrity: `sha384-${createHash('sha384').update(body).digest('base64')}`,
    immutable,
  };
}
