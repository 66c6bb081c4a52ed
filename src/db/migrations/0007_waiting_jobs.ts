/** Messages whose network cannot take them wait apart from all others, and not for ever. */
import type { Knex } from 'knex';

export async function up(trx: Knex): Promise<void> {
  await trx.raw(`
    create table waiting_jobs (
      id bigint generated always as identity primary key,
      product text not null,
      channel text not null,
      request_ids uuid[] not null,
      -- When the first of its messages is too old to be handed over; null: none of them ever is.
      expires_at timestamptz
    );
    create index waiting_jobs_of_channel on waiting_jobs (product, channel, id);
    create index waiting_jobs_expiring on waiting_jobs (expires_at);

    -- Null: the setting MESSAGE_VALIDITY_SECONDS.
    alter table services add column validity_seconds integer
      check (validity_seconds between 1 and 14 * 24 * 3600);
  `);
}
