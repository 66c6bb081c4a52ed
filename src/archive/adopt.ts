/** Goes on in a store that lacks what the database knows of, because files are lost for good. */
import type { Knex } from 'knex';
import { markOwn, ownIdentity } from './known-store.ts';
import { ArchiveFault } from './read-segment.ts';
import { manifestName } from './segment.ts';
import {
  noteLeft,
  readIdentity,
  readSegments,
  renameStore,
  type StoredSegment,
} from './segment-repository.ts';
import type { ArchiveStore } from './store.ts';

/**
 * Makes the store the archive of the database: it gets the manifests that it lacks, which the database has. Files of
 * segments that are not there stay lost; their numbers are returned, and `archive verify` goes on naming them.
 */
export async function adoptStore(knex: Knex, store: ArchiveStore): Promise<number[]> {
  const { database } = await readIdentity(knex);
  const own = await ownIdentity(store);
  if (own !== undefined && own.database !== database)
    throw new ArchiveFault(`the archive (${store.url}) is that of another database`);
  const names = new Set(await store.names());
  const absent: StoredSegment[] = [];
  for await (const segment of readSegments(knex)) {
    const name = manifestName(segment.manifest.number);
    if (!names.has(name)) absent.push(segment);
    else if (String(await store.read(name)) !== segment.text)
      throw new ArchiveFault(`${name} is not the one that the database has: move it elsewhere first`);
  }
  for (const { manifest, text } of absent)
    await store.write(manifestName(manifest.number), Buffer.from(text));
  const lost: number[] = [];
  for await (const { manifest, leftAt, leavingAt } of readSegments(knex)) {
    // If all its rows are here, it is written again.
    if (names.has(manifest.file) || leavingAt === null) continue;
    lost.push(manifest.number);
    // The rows that are still here leave with the next one.
    if (leftAt === null) await noteLeft(knex, manifest.number);
  }
  await markOwn(store, await renameStore(knex));
  return lost;
}
