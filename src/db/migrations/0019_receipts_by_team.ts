/** Due receipts are found team by team, then origin by origin. Origins are indexed by a hash of fixed length. */
import type { Knex } from 'knex';

export async function up(trx: Knex): Promise<void> {
  await trx.raw(`
    alter table receipts add column team_id text, add column origin_key uuid;
    update receipts set
      team_id = requests.team_id,
      origin_key = left(encode(sha256(convert_to(receipts.origin, 'UTF8')), 'hex'), 32)::uuid
      from requests where requests.id = receipts.request_id;
    drop index receipts_due_of_origin;
    alter table receipts
      drop column origin,
      alter column team_id set not null,
      alter column origin_key set not null;
    create index receipts_due on receipts (team_id, origin_key, next_attempt_at) where state = 'Pending';

    -- What was known of an origin is learnt anew for each team.
    drop table receipt_origins;
    create table receipt_origins (
      team_id text not null,
      origin_key uuid not null,
      origin text not null,
      failures_in_a_row integer not null,
      parked_until timestamptz,
      primary key (team_id, origin_key)
    );
  `);
}
