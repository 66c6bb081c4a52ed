/** The files that the pages of the documentation load: our own, and the reference's library out of its package. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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

/** Names of our own files, below docs/assets. */
const types: Readonly<Record<string, string>> = {
  'style.css': 'text/css',
  'icon.svg': 'image/svg+xml',
  'reference.js': 'text/javascript',
  'no-eval.js': 'text/javascript',
};
const scalar = createRequire(import.meta.url);

/** The name of Scalar's standalone script (3.5 MB, a third of it compressed), with its version. */
export function scalarName(): string {
  const entry = scalar.resolve('@scalar/fastify-api-reference');
  const { version } = JSON.parse(
    readFileSync(entry.replace(/dist[\\/]index\.js$/, 'package.json'), 'utf8'),
  ) as { version: string };
  return `scalar-${version}.js`;
}

const loaded = new Map<string, Promise<Asset>>();

/** Undefined when there is no file of this name. Files are read on first use and kept. */
export function loadAsset(name: string): Promise<Asset> | undefined {
  const isScalar = name === scalarName();
  const type = isScalar ? 'text/javascript' : types[name];
  if (type === undefined || !(isScalar || Object.hasOwn(types, name))) return undefined;
  const known = loaded.get(name) ?? read(name, type, isScalar);
  loaded.set(name, known);
  return known;
}

async function read(name: string, type: string, isScalar: boolean): Promise<Asset> {
  const body = readFileSync(
    isScalar
      ? scalar.resolve('@scalar/fastify-api-reference').replace(/index\.js$/, 'js/standalone.js')
      : new URL(`../../docs/assets/${name}`, import.meta.url),
  );
  return {
    type,
    body,
    gzipped: await promisify(gzip)(body),
    integrity: `sha384-${createHash('sha384').update(body).digest('base64')}`,
    immutable: isScalar,
  };
}
