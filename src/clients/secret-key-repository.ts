/** Stores a hash that identifies the secret key of a database. */
import type { Knex } from 'knex';

export async function fingerprintOf(knex: Knex): Promise<string | undefined> {
  const [fingerprint] = await knex('secret_key').pluck('fingerprint');
  return fingerprint;
}

/** Returns the one that was recorded first. */
export async function recordFingerprint(knex: Knex, fingerprint: string): Promise<string | undefined> {
  await knex('secret_key').insert({ fingerprint }).onConflict('id').ignore();
  return fingerprintOf(knex);
}
