/** The accepting transaction: carries out many plans at once, each wholly or not at all. */
import type { Knex } from 'knex';
import type { DeliveryJob } from '../delivery/queue.ts';
import type { Plan } from './plan.ts';

/** What became of one plan. */
export type Outcome =
  | 'accepted'
  /** An account does not hold the units; nothing was stored. */
  | 'insufficient'
  /** The Idempotency-Key is stored already; nothing was stored. */
  | 'keyTaken';

/** Adds delivery jobs in the caller's transaction. */
export type InsertDeliveries = (trx: Knex.Transaction, jobs: readonly DeliveryJob[]) => Promise<void>;

/**
 * Carries out the plans in one transaction and says per plan, in the same order, what became of it.
 * The number of statements depends neither on the number of plans nor on that of their messages.
 * Rejects, with nothing stored, when the database fails.
 */
export async function commitPlans(
  knex: Knex,
  plans: readonly Plan[],
  insertDeliveries: InsertDeliveries,
): Promise<Outcome[]> {
  try {
    return await knex.transaction((trx) => optimistic(trx, plans, insertDeliveries));
  } catch (error) {
    if (!(error instanceof AccountShort) && !isDeadlock(error)) throw error;
    return knex.transaction((trx) => lockFirst(trx, plans, insertDeliveries));
  }
}

/** Debits last, so that a team's account row is locked for a moment only. */
async function optimistic(
  trx: Knex.Transaction,
  plans: readonly Plan[],
  insertDeliveries: InsertDeliveries,
): Promise<Outcome[]> {
  const fresh = await claimKeys(trx, plans);
  const accepted = plans.filter((plan) => fresh(plan));
  if (accepted.length > 0) {
    await insertDeliveries(trx, jobsOf(accepted));
    await store(trx, accepted);
  }
  return plans.map((plan) => (fresh(plan) ? 'accepted' : 'keyTaken'));
}

/** For a batch that some account cannot pay as a whole: lock, then decide plan by plan in their order. */
async function lockFirst(
  trx: Knex.Transaction,
  plans: readonly Plan[],
  insertDeliveries: InsertDeliveries,
): Promise<Outcome[]> {
  const balances = await lockBalances(trx, [...debitsOf(plans).keys()]);
  const fresh = await claimKeys(trx, plans);
  const outcomes = plans.map((plan): Outcome => {
    if (!fresh(plan)) return 'keyTaken';
    const debits = debitsOf([plan]);
    for (const [account, units] of debits) if ((balances.get(account) ?? 0) < units) return 'insufficient';
    for (const [account, units] of debits) balances.set(account, (balances.get(account) ?? 0) - units);
    return 'accepted';
  });
  const accepted = plans.filter((_, index) => outcomes[index] === 'accepted');
  await releaseKeys(
    trx,
    plans.filter((_, index) => outcomes[index] === 'insufficient'),
  );
  if (accepted.length > 0) {
    await insertDeliveries(trx, jobsOf(accepted));
    await store(trx, accepted);
  }
  return outcomes;
}

/** Raised inside the optimistic transaction to roll it back. */
class AccountShort extends Error {}

function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '40P01';
}

/** Inserts the plans' Idempotency-Keys; the returned test says whether a plan may go on. */
async function claimKeys(trx: Knex.Transaction, plans: readonly Plan[]): Promise<(plan: Plan) => boolean> {
  const keyed = plans.flatMap((plan) =>
    plan.idempotency === undefined
      ? []
      : [
          {
            client_id: plan.clientId,
            operation: plan.operation,
            key: plan.idempotency.key,
            fingerprint: plan.idempotency.fingerprint,
            accepted: plan.accepted,
          },
        ],
  );
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
  const requestIds = plans.filter((plan) => plan.idempotency).map((plan) => plan.accepted.requestId);
  if (requestIds.length === 0) return;
  await trx.raw(
    `delete from idempotency_keys where (client_id, operation, key) in (
       select client_id, operation, key
       from json_to_recordset(?::json) as k(client_id text, operation text, key text))
     and accepted ->> 'requestId' = any(?::text[])`,
    [
      JSON.stringify(
        plans.map((plan) => ({
          client_id: plan.clientId,
          operation: plan.operation,
          key: plan.idempotency?.key,
        })),
      ),
      requestIds,
    ],
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

/** Requests, messages, ledger entries and debits in one statement. Throws AccountShort when one fails. */
async function store(trx: Knex.Transaction, plans: readonly Plan[]): Promise<void> {
  const debits = debitsOf(plans);
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `with stored_requests as (
       insert into requests
         (id, team_id, client_id, operation, resource_id, sender, correlator, callback_url)
       select * from json_to_recordset(?::json) as r(id uuid, team_id text, client_id text, operation text,
         resource_id text, sender text, correlator text, callback_url text)
     ), stored_messages as (
       insert into messages (request_id, channel, phone, text, units, account_id)
       select * from json_to_recordset(?::json) as m(request_id uuid, channel text, phone text, text text,
         units integer, account_id bigint)
     ), entries as (
       insert into ledger_entries (account_id, units, reason, request_id)
       select account_id, units, 'Debit', request_id
       from json_to_recordset(?::json) as e(account_id bigint, units bigint, request_id uuid)
     )
     update accounts set balance = balance - debit.units
     from json_to_recordset(?::json) as debit(id bigint, units bigint)
     where accounts.id = debit.id and accounts.balance >= debit.units
     returning accounts.id`,
    [
      JSON.stringify(plans.map(requestRow)),
      JSON.stringify(plans.flatMap(messageRows)),
      JSON.stringify(plans.flatMap(debitEntries)),
      JSON.stringify([...debits].map(([id, units]) => ({ id, units }))),
    ],
  );
  if (rows.length !== debits.size) throw new AccountShort();
}

function requestRow(plan: Plan) {
  return {
    id: plan.accepted.requestId,
    team_id: plan.teamId,
    client_id: plan.clientId,
    operation: plan.operation,
    resource_id: plan.resourceId,
    sender: plan.sender,
    correlator: plan.receiptRequest.correlator,
    callback_url: plan.receiptRequest.callbackUrl,
  };
}

function messageRows(plan: Plan) {
  const { requestId } = plan.accepted;
  return plan.messages.map(({ channel, phone, text, units, accountId }) => ({
    request_id: requestId,
    channel,
    phone,
    text,
    units,
    account_id: accountId,
  }));
}

function debitEntries(plan: Plan) {
  const { requestId } = plan.accepted;
  return [...debitsOf([plan])].map(([account_id, units]) => ({
    account_id,
    units: -units,
    request_id: requestId,
  }));
}

/** Units to debit, by account. */
function debitsOf(plans: readonly Plan[]): Map<string, number> {
  const debits = new Map<string, number>();
  for (const plan of plans)
    for (const { accountId, units } of plan.messages)
      debits.set(accountId, (debits.get(accountId) ?? 0) + units);
  return debits;
}

/** One job per request and channel. */
function jobsOf(plans: readonly Plan[]): DeliveryJob[] {
  return plans.flatMap((plan) =>
    [...new Set(plan.messages.map((message) => message.channel))].map((channel) => ({
      requestId: plan.accepted.requestId,
      channel,
    })),
  );
}
