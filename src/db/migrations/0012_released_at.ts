/** Since when a message that was held waits for its network. Tries were never counted by message. */
import type { Knex } from 'knex';

export async function up(trx: Knex): Promise<void> {
  await trx.raw('alter table messages add column released_at timestamptz, drop column attempts');
}
