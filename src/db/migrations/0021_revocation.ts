/** What ends tokens early, rates of their own for teams and clients, and token keys that are published before they sign. */
import type { Knex } from 'knex';

export async function up(trx: Knex): Promise<void> {
  await trx.raw(`
    alter table clients
      add tokens_valid_from timestamptz not null default now(),
      add rate_per_second integer check (rate_per_second > 0);
    alter table teams add rate_per_second integer check (rate_per_second > 0);
    alter table token_keys add signs_from timestamptz not null default now();
  `);
}
