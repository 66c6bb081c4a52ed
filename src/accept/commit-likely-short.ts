/** The accepting transaction for plans that are likely to lack units: it checks their balances first. */
import type { Knex } from 'knex';
import type { Plan } from '../model/plan.ts';
import { lockAndStore, type Outcome } from './commit.ts';
import { debitsOf } from './commit-statement.ts';

/**
 * Carries out plans that are likely to be short: asks for their balances first, without locking anything. Only
 * those that could pay go into a transaction.
 */
export async function commitLikelyShort(
  knex: Knex,
  plans: readonly Plan[],
  validitySeconds: number,
): Promise<Outcome[]> {
  const balances = await readBalances(knex, [...debitsOf(plans).keys()]);
  const shortOf = new Map<Plan, string>();
  for (const plan of plans)
    for (const [account, units] of debitsOf([plan]))
      if ((balances.get(account) ?? 0) < units) shortOf.set(plan, account);

  const taken = await takenKeys(knex, [...shortOf.keys()]);
  const others = plans.filter((plan) => !shortOf.has(plan) && !taken.has(plan));
  const outcomes = others.length === 0 ? [] : await lockAndStore(knex, others, validitySeconds);
  return plans.map((plan): Outcome => {
    if (taken.has(plan)) return 'keyTaken';
    const short = shortOf.get(plan);
    return short === undefined ? (outcomes[others.indexOf(plan)] as Outcome) : { short };
  });
}

async function readBalances(knex: Knex, accounts: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await knex.raw<{ rows: { id: string; balance: string }[] }>(
    'select id, balance from accounts where id = any(?::bigint[])',
    [[...accounts]],
  );
  return new Map(rows.map((row) => [row.id, Number(row.balance)]));
}

/** The plans whose Idempotency-Key is already stored. */
async function takenKeys(knex: Knex, plans: readonly Plan[]): Promise<Set<Plan>> {
  const keyed = plans.filter((plan) => plan.idempotency !== undefined);
  if (keyed.length === 0) return new Set();
  const { rows } = await knex.raw<{ rows: { place: number }[] }>(
    `select place from json_to_recordset(?::json)
       as k(place integer, client_id text, operation text, key text)
     join idempotency_keys using (client_id, operation, key)`,
    [
      JSON.stringify(
        keyed.map(({ clientId, operation, idempotency }, place) => ({
          place,
          client_id: clientId,
          operation,
          key: idempotency?.key,
        })),
      ),
    ],
  );
  return new Set(rows.flatMap(({ place }) => keyed[place] ?? []));
}
