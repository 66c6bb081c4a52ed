/** Stores Idempotency-Keys with the response to the first request of each. */
import type { Knex } from 'knex';
import type { Accepted } from '../model/plan.ts';

export interface StoredKey {
  fingerprint: string;
  accepted: Accepted;
}

export interface KeyRepository {
  find: (clientId: string, operation: string, key: string) => Promise<StoredKey | undefined>;
  /** Deletes keys older than the given age in seconds; returns how many. */
  purge: (ageSeconds: number) => Promise<number>;
}

export function createKeyRepository(knex: Knex): KeyRepository {
  return {
    find: async (clientId, operation, key) => {
      const { rows } = await knex.raw<{ rows: StoredKey[] }>(
        `select fingerprint, accepted from idempotency_keys
         where client_id = ? and operation = ? and key = ?`,
        [clientId, operation, key],
      );
      return rows[0];
    },
    purge: async (ageSeconds) => {
      const result = await knex.raw<{ rowCount: number }>(
        `delete from idempotency_keys where created_at < service_now() - ? * interval '1 second'`,
        [ageSeconds],
      );
      return result.rowCount;
    },
  };
}
