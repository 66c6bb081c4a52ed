/** Demo accounts: opened with a top-up, so that each is the sum of its ledger. */
import type { Knex } from 'knex';
import type { Product } from '../intake/plan.ts';

/** `variant`: '' for SMS, `<channel>/<denomination>` for mobile data, the template category for chat-app. */
export async function seedUnits(
  trx: Knex.Transaction,
  { teamId, product, variant }: { teamId: string; product: Product; variant: string },
  units: number,
): Promise<void> {
  const [account] = await trx('accounts')
    .insert({ team_id: teamId, product, variant, balance: units })
    .returning('id');
  if (units > 0) await trx('ledger_entries').insert({ account_id: account.id, units, reason: 'TopUp' });
}
