/** Items that could not be recorded wait in quarantine, and what is indexed has a bounded length. */
import type { Knex } from 'knex';

export async function up(trx: Knex): Promise<void> {
  await trx.raw(`
    create table quarantine (
      id bigint generated always as identity primary key,
      round text not null,
      item text not null check (char_length(item) <= 255),
      message_id bigint,
      -- JSON that may hold what json itself refuses.
      payload text not null check (octet_length(payload) <= 131072),
      reason text not null check (char_length(reason) <= 200),
      attempts integer not null default 1,
      created_at timestamptz not null default now(),
      retry_at timestamptz,
      unique (round, item)
    );
    create index quarantine_of_message on quarantine (message_id);
    -- An index row holds at most 2,704 bytes.
    alter table message_parts add constraint message_parts_network_id_check check (char_length(network_id) <= 255);
    alter table network_reports
      add constraint network_reports_network_id_check check (char_length(network_id) <= 255);
    alter table idempotency_keys add constraint idempotency_keys_key_check check (char_length(key) <= 255);
  `);
}
