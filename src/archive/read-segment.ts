/** Reads a segment as it was written, or not at all. */
import { type Manifest, sha256 } from './segment.ts';
import type { ArchiveStore } from './store.ts';

/** What is wrong with the archive itself: rows stay until an operator has seen to it. */
export class ArchiveFault extends Error {
  override readonly name = 'ArchiveFault';
}

/** Compressed, a few megabytes. Throws an ArchiveFault if the file is missing or was altered. */
export async function readSegment(
  store: ArchiveStore,
  { number, file, sha256: hash }: Manifest,
): Promise<Buffer> {
  const bytes = await store.read(file);
  if (bytes === undefined) throw new ArchiveFault(`segment ${number} is missing: there is no ${file}`);
  if (sha256(bytes) !== hash) throw new ArchiveFault(`${file} was altered`);
  return bytes;
}
