/** A job that waits may be for some of its requests' messages only. */
import type { Knex } from 'knex';

export async function up(trx: Knex): Promise<void> {
  await trx.raw('alter table waiting_jobs add column message_ids bigint[]');
}
