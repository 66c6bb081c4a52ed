/** The initial schema: runs the files of 0001_initial/, one for each theme. */
import { createHash } from 'node:crypto';
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

const textOf = (theme: string) =>
  readFileSync(new URL(`0001_initial/${theme}.sql`, import.meta.url), 'utf8').replaceAll('\r\n', '\n');

export async function up(trx: Knex): Promise<void> {
  for (const theme of themes) {
    // Knex would take a bare question mark for a binding.
    await trx.raw(textOf(theme).replaceAll('?', '\\?'));
  }
}

/** SHA-256 of all that it runs, in hex. */
export function digest(): string {
  return createHash('sha256').update(themes.map(textOf).join('\n')).digest('hex');
}
