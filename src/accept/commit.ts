/** The accepting transaction: commits many plans at once, each completely or not at all. */
import type { Knex } from 'knex';
import type { Plan } from '../model/plan.ts';
import { type CapReached, capKey, capUsesOf } from './caps.ts';
import { lockCaps } from './commit-caps.ts';
import { debitsOf, keyRow, notAllStored, store } from './commit-statement.ts';

/** The outcome of one plan. */
export type Outcome =
  | 'accepted'
  /** This account does not hold the units; nothing was stored. */
  | { short: string }
  /** This cap has fewer units left; nothing was stored. */
  | { capped: CapReached }
  /** The Idempotency-Key is stored already; nothing was stored. */
  | 'keyTaken';

/**
 * Carries out the plans in one transaction and returns the outcome of each, in the same order. The number of
 * statements depends neither on the number of plans nor on that of their messages. Rejects, with nothing stored, when
 * the database fails. `validitySeconds`: how long messages of services that do not say may wait for their network.
 */
export async function commitPlans(
  knex: Knex,
  plans: readonly Plan[],
  validitySeconds: number,
): Promise<Outcome[]> {
  try {
    await store(knex, plans, plans, validitySeconds);
    return plans.map(() => 'accepted');
  } catch (error) {
    if (!isSqlState(error, notAllStored) && !isSqlState(error, deadlock)) throw error;
    return lockAndStore(knex, plans, validitySeconds);
  }
}

const mostTries = 5;

/** Plan by plan with their accounts locked; again when PostgreSQL ends it for a deadlock with another process's statement. */
export async function lockAndStore(
  knex: Knex,
  plans: readonly Plan[],
  validitySeconds: number,
  tries = 1,
): Promise<Outcome[]> {
  try {
    return await knex.transaction((trx) => lockFirst(trx, plans, validitySeconds));
  } catch (error) {
    if (!isSqlState(error, deadlock) || tries === mostTries) throw error;
    return lockAndStore(knex, plans, validitySeconds, tries + 1);
  }
}

/** For a batch with an account that cannot pay its whole share, or with a key that is taken: plan by plan. */
async function lockFirst(
  trx: Knex.Transaction,
  plans: readonly Plan[],
  validitySeconds: number,
): Promise<Outcome[]> {
  const fresh = await claimKeys(trx, plans);
  const caps = await lockCaps(trx, capUsesOf(plans));
  const balances = await lockBalances(trx, [...debitsOf(plans).keys()]);
  const outcomes = plans.map((plan): Outcome => {
    if (!fresh(plan)) return 'keyTaken';
    const debits = debitsOf([plan]);
    for (const [account, units] of debits)
      if ((balances.get(account) ?? 0) < units) return { short: account };
    const uses = capUsesOf([plan]);
    for (const { units, ...cap } of uses) {
      const { left = 0, seconds = 1 } = caps.get(capKey(cap)) ?? {};
      if (left < units) return { capped: { ...cap, seconds } };
    }
    for (const { units, ...cap } of uses) {
      const own = caps.get(capKey(cap));
      if (own !== undefined) own.left -= units;
    }
    for (const [account, units] of debits) balances.set(account, (balances.get(account) ?? 0) - units);
    return 'accepted';
  });
  await releaseKeys(
    trx,
    plans.filter((_, index) => typeof outcomes[index] === 'object'),
  );
  const accepted = plans.filter((_, index) => outcomes[index] === 'accepted');
  if (accepted.length > 0) await store(trx, accepted, [], validitySeconds);
  return outcomes;
}

const deadlock = '40P01';

function isSqlState(error: unknown, state: string): boolean {
  return error instanceof Error && 'code' in error && error.code === state;
}

/** Inserts the plans' Idempotency-Keys; the returned test says whether a plan may go on. */
async function claimKeys(trx: Knex.Transaction, plans: readonly Plan[]): Promise<(plan: Plan) => boolean> {
  const keyed = plans.filter((plan) => plan.idempotency !== undefined).map(keyRow);
  if (keyed.length === 0) return () => true;
  // Sorted, so that two batches with the same keys wait for each other instead of deadlocking.
  const { rows } = await trx.raw<{ rows: { request_id: string }[] }>(
    `insert into idempotency_keys (client_id, operation, key, fingerprint, accepted)
     select client_id, operation, key, fingerprint, accepted
     from json_to_recordset(?::json)
       as k(client_id text, operation text, key text, fingerprint text, accepted json)
     order by client_id, operation, key
     on conflict do nothing
     returning accepted ->> 'requestId' as request_id`,
    [JSON.stringify(keyed)],
  );
  const claimed = new Set(rows.map((row) => row.request_id));
  return (plan) => plan.idempotency === undefined || claimed.has(plan.accepted.requestId);
}

async function releaseKeys(trx: Knex.Transaction, plans: readonly Plan[]): Promise<void> {
  const keyed = plans.filter((plan) => plan.idempotency !== undefined).map(keyRow);
  if (keyed.length === 0) return;
  await trx.raw(
    `delete from idempotency_keys using
       json_to_recordset(?::json) as k(client_id text, operation text, key text, accepted json)
     where idempotency_keys.client_id = k.client_id and idempotency_keys.operation = k.operation
       and idempotency_keys.key = k.key
       and idempotency_keys.accepted ->> 'requestId' = k.accepted ->> 'requestId'`,
    [JSON.stringify(keyed)],
  );
}

async function lockBalances(
  trx: Knex.Transaction,
  accounts: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await trx.raw<{ rows: { id: string; balance: string }[] }>(
    'select id, balance from accounts where id = any(?::bigint[]) order by id for update',
    [[...accounts]],
  );
  return new Map(rows.map((row) => [row.id, Number(row.balance)]));
}
