/** Resets the sandbox's database: configuration stays, all activity is deleted. */
import type { Knex } from 'knex';
import type { LedgerKey } from '../../ledger/confirmation.ts';
import { startSealCount } from '../../ledger/seal-repository.ts';

/** Everything that requests and networks lead to, but the ledger. */
const activity = [
  'requests',
  'messages',
  'idempotency_keys',
  'receipts',
  'receipt_origins',
  'receipt_replays',
  'message_parts',
  'inbound_messages',
  'inbound_parts',
  'inbound_unreadable',
  'person_names',
  'network_reports',
  'quarantine',
  'campaign_grants',
  'opt_outs',
  'keyword_replies',
  'network_preferences',
  'opt_out_import_chunks',
  'opt_out_import_parts',
  'opt_out_imports',
  'rate_windows',
  'code_counts',
  'counted_codes',
  'simulated_reports',
  'simulated_bundles',
  'jobs',
  'retention_progress',
  'erasures_due',
];

export async function resetActivity(knex: Knex, key: LedgerKey): Promise<void> {
  await knex.transaction(async (trx) => {
    // Tests reset often and after little: `truncate` makes new files for every table and index, which takes longer.
    for (const table of activity) await trx(table).delete();
    for (const table of ['services', 'chatapp_services'])
      await trx(table).update({ inbound_callback_url: null });
    await trx.raw(`create temporary table top_ups on commit drop as
      select account_id, units, reason from ledger_entries where reason = 'TopUp'`);
    await trx.raw('truncate ledger_entries, ledger_seals, ledger_cuts');
    await startSealCount(trx, key);
    await trx.raw('insert into ledger_entries (account_id, units, reason) select * from top_ups');
    await trx.raw(`update accounts a set balance = coalesce(
      (select sum(units) from top_ups where account_id = a.id), 0)`);
  });
}
