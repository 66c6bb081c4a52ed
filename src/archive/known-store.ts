/** Tells whether a store is the archive that the database knows: nothing is written to another one, and no row leaves for it. */
import type { Knex } from 'knex';
import { ArchiveFault } from './read-segment.ts';
import { manifestName } from './segment.ts';
import { type Identity, type LastSegments, lastSegments, readIdentity } from './segment-repository.ts';
import type { ArchiveStore } from './store.ts';

const ownName = 'archive.json';

/** What a store says of itself; undefined: nothing. */
export async function ownIdentity(store: ArchiveStore): Promise<Identity | undefined> {
  const found = await store.read(ownName);
  if (found === undefined) return undefined;
  try {
    const { database, archive }: { database: string; archive: string } = JSON.parse(found.toString());
    return { database, store: archive };
  } catch {
    return { database: '', store: '' };
  }
}

/** The store is the archive from now on. */
export async function markOwn(store: ArchiveStore, { database, store: archive }: Identity): Promise<void> {
  await store.write(ownName, Buffer.from(`${JSON.stringify({ database, archive })}\n`));
}

/** Throws an ArchiveFault unless the store is the one that rows have left for so far. An empty one may become that before the first segment. */
export async function requireKnown(
  store: ArchiveStore,
  identity: Identity,
  segments: LastSegments,
): Promise<void> {
  const fault = await faultOfStore(store, identity, segments);
  if (fault !== undefined) throw new ArchiveFault(fault);
}

/** A sentence for an operator, also when the store cannot be read; undefined: all is well. */
export async function faultOfArchive(knex: Knex, store: ArchiveStore): Promise<string | undefined> {
  const identity = await readIdentity(knex);
  return faultOfStore(store, identity, await lastSegments(knex)).catch(
    (error: Error) => `the archive (${store.url}) cannot be read: ${error.message || error.name}`,
  );
}

async function faultOfStore(
  store: ArchiveStore,
  { database, store: known }: Identity,
  { open, settled }: LastSegments,
): Promise<string | undefined> {
  const own = await ownIdentity(store);
  if (own !== undefined && own.database !== database)
    return `the archive (${store.url}) is that of another database: correct ARCHIVE_URL`;
  if (own === undefined && open === undefined && settled === undefined) return undefined;
  if (own === undefined) return strange(store, `it has no ${ownName}`);
  if (own.store !== known) return strange(store, `its ${ownName} is of another archive of this database`);
  if (settled === undefined) return undefined;
  const name = manifestName(settled.manifest.number);
  const manifest = await store.read(name);
  if (manifest === undefined) return strange(store, `it has no ${name}`);
  return manifest.toString() === settled.text
    ? undefined
    : strange(store, `its ${name} is not the one that the database has`);
}

const strange = ({ url }: ArchiveStore, why: string) =>
  `${url} is not the archive that this database writes to: ${why}. Rows stay in the database. ${
    url.startsWith('s3:')
      ? 'Check the bucket and the folder in ARCHIVE_URL'
      : 'Mount its directory, or correct ARCHIVE_URL'
  }; if files are lost for good, see "A lost archive" in docs/archive.md`;
