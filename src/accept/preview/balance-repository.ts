/** Reads what the accounts of a team hold. */
import type { Knex } from 'knex';
import type { Product } from '../../model/plan.ts';
import { accountKey, type Balances } from './cost.ts';

interface Row {
  product: Product;
  variant: string;
  balance: string;
}

export async function loadBalances(knex: Knex, teamId: string): Promise<Balances> {
  const { rows } = await knex.raw<{ rows: Row[] }>(
    'select product, variant, balance from accounts where team_id = ?',
    [teamId],
  );
  return new Map(rows.map((row) => [accountKey(row.product, row.variant), Number(row.balance)]));
}
