/** Reads the balances of a team's accounts. */
import type { Knex } from 'knex';
import { type AccountName, accountName } from '../model/account.ts';
import type { Product } from '../model/plan.ts';
import { type ReadSlice, sliceOf } from './page.ts';

export interface Balance extends AccountName {
  /** The units that are left. */
  balance: number;
}

interface Row {
  product: Product;
  variant: string;
  balance: string;
}

/** In the order of products, then of channels, denominations and categories. */
export function readBalances(knex: Knex): ReadSlice<object, Balance> {
  return async (teamId, _filter, [product = '', variant = ''] = [], limit) => {
    const { rows } = await knex.raw<{ rows: Row[] }>(
      `select product, variant, balance from accounts
       where team_id = :teamId and (product, variant) > (:product, :variant)
       order by product, variant limit :limit::integer + 1`,
      { teamId, product, variant, limit },
    );
    const balanceOf = (row: Row) => ({
      ...accountName(row.product, row.variant),
      balance: Number(row.balance),
    });
    return sliceOf(rows, limit, balanceOf, (row) => [row.product, row.variant]);
  };
}
