/** A hand-over in doubt has a beginning, from which its end is counted. */
import type { Knex } from 'knex';

export async function up(trx: Knex): Promise<void> {
  await trx.raw(`
    update messages set submitted_at = now() where state = 'Sending';
    drop index messages_awaiting_report;
    create index messages_awaiting_report on messages (submitted_at) where state in ('Sending', 'Submitted', 'Sent');
  `);
}
