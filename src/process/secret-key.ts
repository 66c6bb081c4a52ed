/** The key that protects all other secrets: from the settings, or generated once in the data directory. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { startSealCount } from '../ledger/seal-repository.ts';
import {
  hasHadKey,
  insertFirstKey,
  rowsNaming,
  type StoredSecretKey,
  secretKeysOf,
} from '../platform/secrets/secret-key-repository.ts';
import { lastingFrom, type SecretKey, secretKeyOf } from '../platform/secrets/secret-keys.ts';
import { placeOf, type Secrets, secretsOf } from '../platform/secrets/secrets.ts';
import type { Config } from './config.ts';

type KeySettings = Pick<Config, 'secretKey' | 'dataDirectory'> & Partial<Pick<Config, 'previousSecretKey'>>;

/** Half of what `tarishi secret-key rotate` waits for the other processes. */
const lookEveryMs = 5_000;

/** Whether there is a key without making one. */
export function hasSecretKey({ secretKey, dataDirectory }: Pick<KeySettings, 'secretKey' | 'dataDirectory'>) {
  return secretKey !== undefined || existsSync(keyFile(dataDirectory));
}

/**
 * Rejects when these are not the keys that the database's secrets need. A process that has been given a new key and the
 * one before it begins to use the new one within 5 s of its first use by `tarishi secret-key rotate`.
 */
export async function openSecrets(settings: KeySettings, knex: Knex): Promise<Secrets> {
  const file = keyFile(settings.dataDirectory);
  let stored = await secretKeysOf(knex);
  if (stored.length === 0 && (await hasHadKey(knex))) {
    // Another process may have recorded its key meanwhile, and made values with it.
    stored = await secretKeysOf(knex);
    // As a new database, it would have its ledger sealed anew, whatever was changed in it.
    if (stored.length === 0)
      throw new Error(
        'the table secret_keys is empty, but this database has teams, or secrets made with a key: rows were deleted ' +
          'by hand. Restore a backup',
      );
  }
  if (stored.length > 0 && !hasSecretKey(settings))
    throw new Error(
      `SECRET_KEY is not set and ${file} is missing: without the key that this database was filled with ` +
        'nothing in it can be opened. Set SECRET_KEY, or restore the file',
    );
  const own = settings.secretKey === undefined ? keyIn(file) : Buffer.from(settings.secretKey, 'base64');
  const given = [
    own,
    ...(settings.previousSecretKey ? [Buffer.from(settings.previousSecretKey, 'base64')] : []),
  ];
  const [key, ...others] = given.map(secretKeyOf) as [SecretKey, ...SecretKey[]];
  if (stored.length === 0) stored = await recordFirstKey(knex, secretsOf({ keys: [key], active: key.id }));
  const name = settings.secretKey === undefined ? `the key in ${file}` : 'SECRET_KEY';
  await requireKeys(knex, stored, [key, ...others], name);
  const secrets = secretsOf(ringOf(stored, [key, ...others]));
  if (others.length > 0) followRotation(knex, secrets, [key, ...others]);
  return secrets;
}

/** Of several processes that do it at once, one does. */
export async function recordFirstKey(knex: Knex, secrets: Secrets): Promise<StoredSecretKey[]> {
  await knex.transaction(async (trx) => {
    if (await insertFirstKey(trx, secrets.ring().active)) await startSealCount(trx, secrets);
  });
  return secretKeysOf(knex);
}

/** Throws a sentence that says which key is missing. */
async function requireKeys(
  knex: Knex,
  stored: readonly StoredSecretKey[],
  given: readonly SecretKey[],
  name: string,
): Promise<void> {
  const has = ({ id }: StoredSecretKey) => given.some((key) => key.id === id);
  const [newest, ...former] = stored.toReversed();
  if (newest !== undefined && former.some(({ id }) => id === given[0]?.id))
    throw new Error(`${name} was replaced by another key on ${newest.createdAt.toISOString()}: set that one`);
  if (newest !== undefined && !has(newest))
    throw new Error(
      `${name} is not the key that this database was filled with. If it is to replace that key, set ` +
        'SECRET_KEY_PREVIOUS to the key that it replaces',
    );
  for (const missing of former.filter((key) => !has(key))) {
    const rows = await rowsNaming(knex, missing.id);
    if (missing.releasedAt !== null && rows.size === 0) continue;
    const [first = 'ledger seals'] = [...rows].map(([what, count]) => `${count} × ${what}`);
    throw new Error(
      `SECRET_KEY_PREVIOUS was removed too early: something still needs that key (${first}). Set it again and ` +
        'rotate the key again, which says when it can be removed',
    );
  }
}

function ringOf(stored: readonly StoredSecretKey[], given: readonly SecretKey[]) {
  const newest = stored.at(-1)?.id ?? '';
  const opener = secretsOf({ keys: given as [SecretKey, ...SecretKey[]], active: newest });
  const keys = stored.map(({ id, lasting }): SecretKey => {
    const known = given.find((key) => key.id === id);
    if (known !== undefined) return known;
    return { id, passing: undefined, ...lastingFrom(opener.decrypt(lasting ?? '', placeOf.lastingKeys(id))) };
  });
  // SECRET_KEY is to follow if it was never used; the previous one never is.
  const next = given.slice(0, 1).filter(({ id }) => !stored.some((key) => key.id === id));
  return { keys: [...keys, ...next] as [SecretKey, ...SecretKey[]], active: newest };
}

/** Looks for as long as the process runs: there is a previous key only while keys are changed. */
function followRotation(knex: Knex, secrets: Secrets, given: readonly SecretKey[]): void {
  const look = async () => {
    const stored = await secretKeysOf(knex);
    if (stored.at(-1)?.id !== secrets.ring().active) secrets.use(ringOf(stored, given));
  };
  // While the database is away nothing needs the new key either; the next look finds it.
  setInterval(() => void look().catch(() => {}), lookEveryMs).unref();
}

function keyFile(dataDirectory: string): string {
  return join(dataDirectory, 'secret.key');
}

function keyIn(file: string): Buffer {
  try {
    // wx: the second process reads the first one's key.
    writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const key = Buffer.from(readFileSync(file, 'utf8'), 'base64');
  if (key.length === 32) return key;
  throw new Error(`${file} does not hold a key (32 bytes in base64): restore it from a backup`);
}
