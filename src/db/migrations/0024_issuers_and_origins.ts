/** Clients whose tokens another issuer makes, and web origins whose pages may call. */
import type { Knex } from 'knex';

export async function up(trx: Knex): Promise<void> {
  await trx.raw(`
    alter table clients
      add issuer text check (length(issuer) <= 2048),
      add web_origins jsonb not null default '[]';
  `);
}
