/** The initial schema: runs the files of 0001_initial/, one for each theme. */
import { readFileSync } from 'node:fs';
import type { Knex } from 'knex';

/** A table's foreign keys refer to tables of the same or an earlier file. */
const themes = [
  'time',
  'teams',
  'networks',
  'sms',
  'data',
  'chatapp',
  'consent',
  'quiet-hours',
  'holidays',
  'balances',
  'management',
  'console',
  'requests',
  'inbound',
  'delivery',
  'receipts',
  'statistics',
  'retention',
  'archive',
  'limits',
  'processes',
  'simulators',
];

export async function up(trx: Knex): Promise<void> {
  for (const theme of themes) {
    const sql = readFileSync(new URL(`0001_initial/${theme}.sql`, import.meta.url), 'utf8');
    // Knex would take a bare question mark for a binding.
    await trx.raw(sql.replaceAll('?', '\\?'));
  }
}
