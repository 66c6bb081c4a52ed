/** The key that protects all other secrets: from the settings, or generated once in the data directory. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { fingerprintOf, recordFingerprint } from '../clients/secret-key-repository.ts';
import { createSecrets, type Secrets } from '../clients/secrets.ts';
import type { Config } from '../config.ts';

type KeySettings = Pick<Config, 'secretKey' | 'dataDirectory'>;

/** Whether there is a key without making one. */
export function hasSecretKey({ secretKey, dataDirectory }: KeySettings): boolean {
  return secretKey !== undefined || existsSync(keyFile(dataDirectory));
}

/** Rejects when the key is not the one that the database's secrets were made with: the first that was used on it. */
export async function openSecrets(settings: KeySettings, knex: Knex): Promise<Secrets> {
  const file = keyFile(settings.dataDirectory);
  const recorded = await fingerprintOf(knex);
  if (recorded !== undefined && !hasSecretKey(settings))
    throw new Error(
      `SECRET_KEY is not set and ${file} is missing: without the key that this database was filled with ` +
        'nothing in it can be opened. Set SECRET_KEY, or restore the file',
    );
  const key = settings.secretKey === undefined ? keyIn(file) : Buffer.from(settings.secretKey, 'base64');
  const secrets = createSecrets(key);
  const fingerprint = secrets.hash('fingerprint of the secret key');
  if ((recorded ?? (await recordFingerprint(knex, fingerprint))) === fingerprint) return secrets;
  const name = settings.secretKey === undefined ? `the key in ${file}` : 'SECRET_KEY';
  throw new Error(`${name} is not the key that this database was filled with`);
}

function keyFile(dataDirectory: string): string {
  return join(dataDirectory, 'secret.key');
}

function keyIn(file: string): Buffer {
  try {
    // wx: whoever comes second reads the first one's key.
    writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const key = Buffer.from(readFileSync(file, 'utf8'), 'base64');
  if (key.length === 32) return key;
  throw new Error(`${file} does not hold a key (32 bytes in base64): restore it from a backup`);
}
