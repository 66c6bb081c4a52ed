/** Accounts of the demo team: opened with a top-up, so that each is the sum of its ledger. */
import type { Knex } from 'knex';
import type { Product } from '../model/plan.ts';

/** `variant`: '' for SMS, `<channel>/<denomination>` for mobile data, the template category for chat-app. */
export async function seedUnits(
  trx: Knex.Transaction,
  account: { product: Product; variant: string },
  units: number,
): Promise<void> {
  const [{ id }] = await trx('accounts')
    .insert({ ...account, team_id: 'demo', balance: units })
    .returning('id');
  await trx('ledger_entries').insert({ account_id: id, units, reason: 'TopUp' });
}
