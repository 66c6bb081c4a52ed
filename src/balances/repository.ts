/** Reads the accounts of teams and adds units to them. */
import type { Knex } from 'knex';
import type { Product } from '../intake/plan.ts';

export interface Account {
  product: Product;
  /** '' for SMS, `<channel>/<denomination>` for mobile data, the template category for chat-app. */
  variant: string;
  balance: number;
}

/** Adds units by a ledger entry, and opens the account if need be. Answers the new balance. */
export async function topUp(
  knex: Knex,
  { teamId, product, variant }: { teamId: string; product: Product; variant: string },
  units: number,
): Promise<number> {
  const { rows } = await knex.raw<{ rows: { balance: string }[] }>(
    `with account as (
       insert into accounts (team_id, product, variant, balance) values (:teamId, :product, :variant, :units)
       on conflict (team_id, product, variant) do update set balance = accounts.balance + :units
       returning id, balance
     ), entry as (
       insert into ledger_entries (account_id, units, reason) select id, :units, 'TopUp' from account
     ) select balance from account`,
    { teamId, product, variant, units },
  );
  return Number(rows[0]?.balance);
}

export async function listAccounts(knex: Knex, teamId: string): Promise<Account[]> {
  const rows: { product: Product; variant: string; balance: string }[] = await knex('accounts')
    .where({ team_id: teamId })
    .orderBy(['product', 'variant'])
    .select('product', 'variant', 'balance');
  return rows.map(({ product, variant, balance }) => ({ product, variant, balance: Number(balance) }));
}
