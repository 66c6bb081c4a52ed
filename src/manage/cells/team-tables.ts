/** What of a team moves to another cell, table by table, and what stays. */

export interface MovedTable {
  name: string;
  /** The columns of a unique index, by which rows are compared. */
  key: readonly string[];
  /** Which rows `t` are meant, in SQL; `:team` is the team's id. */
  of: string;
  /** Which rows of the other cell may change, if other ones than `of` says. */
  ofThere?: string;
  /** Rows are added to the other cell, and none is changed or removed. */
  addOnly?: true;
  /** Columns that are written otherwise than they are stored. */
  written?: Readonly<Record<string, string>>;
}

const ofServices = '(select id from services where team_id = :team)';
const ofChatAppServices = '(select id from chatapp_services where team_id = :team)';
const ofTeam = 't.team_id = :team';

/** In an order that foreign keys allow. */
export const setupTables: readonly MovedTable[] = [
  { name: 'teams', key: ['id'], of: 't.id = :team' },
  { name: 'users', key: ['id'], of: ofTeam },
  { name: 'clients', key: ['id'], of: ofTeam },
  { name: 'services', key: ['id'], of: ofTeam },
  {
    name: 'managed_services',
    key: ['key'],
    of: 't.key in (select managed_service_key from sms_templates where team_id = :team)',
    addOnly: true,
  },
  { name: 'sms_templates', key: ['id'], of: ofTeam },
  { name: 'chatapp_services', key: ['id'], of: ofTeam },
  { name: 'chatapp_numbers', key: ['id'], of: `t.service_id in ${ofChatAppServices}` },
  { name: 'chatapp_templates', key: ['id'], of: ofTeam },
  { name: 'campaigns', key: ['id'], of: ofTeam },
];

/**
 * Ids of messages belong to a cell. A grant that moves gets the negative id of its message, which no message of the other
 * cell has. When it moves back, it gets its own id again.
 */
export const grantsTable: MovedTable = {
  name: 'campaign_grants',
  key: ['campaign_id', 'phone_hash'],
  of: 't.campaign_id in (select id from campaigns where team_id = :team)',
  written: { message_id: '-t.message_id' },
};

/** Once the team sends from there: bundles that are still on their way here decide about grants that have not changed there. */
export const openGrantsTable: MovedTable = {
  ...grantsTable,
  of: `${grantsTable.of} and t.message_id > 0`,
  ofThere: `${grantsTable.of} and t.message_id < 0`,
};

const optOutKey = ['phone_hash', 'product', 'team_id', 'service_id', 'source'];
export const optOutsTable: MovedTable = { name: 'opt_outs', key: optOutKey, of: ofTeam };

/**
 * Those that were made here since it left, such as by a network's reports on what was still on its way. A row has the time
 * at which its transaction began, and those that write here take less than ten seconds.
 */
export const laterOptOutsTable: MovedTable = {
  ...optOutsTable,
  of: `${ofTeam} and t.created_at > (
    select opt_outs_until - interval '10 seconds' from team_moves where team_id = :team)`,
  addOnly: true,
};

/** What changes while the team sends, besides its Idempotency-Keys and its units. */
export const useTables: readonly MovedTable[] = [
  grantsTable,
  optOutsTable,
  // Who does not want to hear from any team does not want to hear from this one.
  { name: 'opt_outs', key: optOutKey, of: 't.team_id is null', addOnly: true },
  {
    name: 'network_preferences',
    key: ['phone_hash', 'service_id'],
    of: `t.service_id in ${ofChatAppServices}`,
  },
  {
    name: 'keyword_replies',
    key: ['phone_hash', 'product', 'service_id', 'action'],
    of: `t.service_id in ${ofServices} or t.service_id in ${ofChatAppServices}`,
  },
];

/** Moved in ways of their own: as corrections, by age, and by `tarishi cell keys`. */
export const otherwise = ['accounts', 'idempotency_keys', 'secret_keys', 'token_keys'] as const;

/** What was sent stays where it was sent from, with what is still on its way. */
export const history = [
  'account_use',
  'ledger_entries',
  'ledger_seals',
  'ledger_cuts',
  'requests',
  'messages',
  'message_parts',
  'counted_messages',
  'message_counts',
  'minute_counts',
  'receipts',
  'receipt_origins',
  'receipt_replays',
  'inbound_messages',
  'inbound_parts',
  'jobs',
  'network_reports',
  'quarantine',
  'opt_out_imports',
  'opt_out_import_parts',
  'opt_out_import_chunks',
  'retention_progress',
  'erasures_due',
  'rate_windows',
  'audit_log',
  'console_sessions',
] as const;

/** What each cell has for all of its teams. */
export const ofCell = [
  'team_moves',
  'ledger_seal_count',
  'ledger_inspection',
  'connectors',
  'channels',
  'connector_states',
  'quiet_hours',
  'count_progress',
  'simulated_reports',
  'simulated_bundles',
  'archive',
  'archive_segments',
  'write_probes',
  'clock_readings',
] as const;
