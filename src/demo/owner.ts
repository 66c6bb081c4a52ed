/** Demo data for the management API: an owner of the platform, who may do everything there. */
import type { Knex } from 'knex';
import { generateAccessKey } from '../manage/access/access-key.ts';
import { users } from '../manage/access/users.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';

/** Returns the owner's access key. */
export async function seedOwner(trx: Knex.Transaction, secrets: Secrets): Promise<string> {
  const id = 'demo-owner';
  const { accessKey, hash } = generateAccessKey(id, secrets);
  await users.rows.insert(trx, {
    id,
    name: 'The demo owner',
    teamId: null,
    role: 'owner',
    keyHashes: [hash],
    enabled: true,
  });
  return accessKey;
}
