/** The files of the initial schema, one for each theme. */

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

export const initial = themes.map((theme) => `0001_initial/${theme}.sql`);
