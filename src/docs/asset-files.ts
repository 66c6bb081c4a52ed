/** Reads static files on first use, and keeps them compressed. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export interface Asset {
  type: string;
  body: Buffer;
  gzipped: Buffer;
  /** Subresource Integrity: `sha384-…`. */
  integrity: string;
}

export interface AssetFile {
  file: URL;
  type: string;
}

/** By name; undefined if there is no such file. */
export type LoadAsset = (name: string) => Promise<Asset> | undefined;

export function createAssets(files: ReadonlyMap<string, AssetFile>): LoadAsset {
  const loaded = new Map<string, Promise<Asset>>();
  return (name) => {
    const source = files.get(name);
    if (source === undefined) return undefined;
    const asset = loaded.get(name) ?? read(source);
    loaded.set(name, asset);
    return asset;
  };
}

async function read({ file, type }: AssetFile): Promise<Asset> {
  const body = readFileSync(file);
  return {
    type,
    body,
    gzipped: await promisify(gzip)(body),
    integrity: `sha384-${createHash('sha384').update(body).digest('base64')}`,
  };
}
