/** Whose report counts, and in which order a message's receipts go out. */
import type { Knex } from 'knex';

export async function up(trx: Knex): Promise<void> {
  await trx.raw(`
    alter table messages
      -- The connector that has the message, or may have it.
      add column connector text,
      -- How many states of it were announced, and when the last of them was reached.
      add column sequence smallint not null default 0,
      add column reached_at timestamptz;

    -- Reports from before do not say which product they are about.
    delete from network_reports;
    alter table network_reports add column product text not null;

    alter table receipts
      add column sequence smallint not null default 1,
      -- When its first attempt began.
      add column started_at timestamptz;
    update receipts set sequence = place
      from (select id, row_number() over (partition by message_id order by created_at, id) as place from receipts)
        as numbered
      where receipts.id = numbered.id;
    create index receipts_of_message on receipts (message_id, sequence);
  `);
}
