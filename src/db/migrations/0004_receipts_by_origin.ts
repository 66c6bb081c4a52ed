/** Due receipts are found origin by origin, so that the queue of one hides nobody else's. */
import type { Knex } from 'knex';

export async function up(trx: Knex): Promise<void> {
  await trx.raw(`
    create index receipts_due_of_origin on receipts (origin, next_attempt_at) where state = 'Pending';
    drop index receipts_due;
  `);
}
