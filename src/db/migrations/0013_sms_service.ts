/** By which service the SMS that accompany bundles are sent. */
import type { Knex } from 'knex';

export async function up(trx: Knex): Promise<void> {
  await trx.raw(`
    -- Null where none do, and for requests from before: the campaign's own.
    alter table requests add column sms_service_id text;
  `);
}
