/** The accepting transaction: commits many plans at once, each completely or not at all. */
import type { Knex } from 'knex';
import { runStatement } from '../db/statement.ts';
import { foldJobs, type RequestShare } from '../queue/fold-jobs.ts';
import { laneOf } from '../queue/job.ts';
import { deliveryInsertion } from '../queue/queue.ts';
import { type Plan, priorities } from './plan.ts';

/** What became of one plan. */
export type Outcome =
  | 'accepted'
  /** This account does not hold the units; nothing was stored. */
  | { short: string }
  /** The Idempotency-Key is stored already; nothing was stored. */
  | 'keyTaken';

/**
 * Carries out the plans in one transaction and says per plan, in the same order, what became of it.
 * The number of statements depends neither on the number of plans nor on that of their messages.
 * Rejects, with nothing stored, when the database fails. `validitySeconds`: how long messages of services that do not
 * say may wait for their network.
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
  const balances = await lockBalances(trx, [...debitsOf(plans).keys()]);
  const fresh = await claimKeys(trx, plans);
  const outcomes = plans.map((plan): Outcome => {
    if (!fresh(plan)) return 'keyTaken';
    const debits = debitsOf([plan]);
    for (const [account, units] of debits)
      if ((balances.get(account) ?? 0) < units) return { short: account };
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

/** Division by zero: how the statement below says that an account was short or a key was taken. */
const notAllStored = '22012';
const deadlock = '40P01';

function isSqlState(error: unknown, state: string): boolean {
  return error instanceof Error && 'code' in error && error.code === state;
}

function keyRow(plan: Plan) {
  return {
    client_id: plan.clientId,
    operation: plan.operation,
    key: plan.idempotency?.key,
    fingerprint: plan.idempotency?.fingerprint,
    accepted: plan.accepted,
  };
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

/**
 * Everything the plans promise, and the keys of `keyed`, in one statement: one trip to the database, and an
 * account's row is locked for its length only. Fails with `notAllStored` when an account is short or a key is
 * taken.
 */
async function store(
  knex: Knex,
  plans: readonly Plan[],
  keyed: readonly Plan[],
  validitySeconds: number,
): Promise<void> {
  const debits = debitsOf(plans);
  const keys = keyed.filter((plan) => plan.idempotency !== undefined).map(keyRow);
  const jobs = deliveryInsertion(foldJobs(sharesOf(plans, validitySeconds)));
  const variant = debits.size > 1 ? 'many' : 'one';
  await runStatement(knex, {
    name: `accept ${variant}`,
    text: acceptText(jobs.text, debitText[variant]),
    values: [
      jobs.value,
      JSON.stringify(plans.map(requestRow)),
      JSON.stringify(plans.flatMap(messageRows)),
      JSON.stringify(plans.flatMap(debitEntries)),
      JSON.stringify([...debits].map(([id, units]) => ({ id, units }))),
      JSON.stringify(keys),
      debits.size,
      keys.length,
    ],
  });
}

// Sorted where rows may be locked by others, so that two batches wait for each other instead of deadlocking.
const acceptText = (jobsText: string, debitedText: string) => `
  with jobs as (${jobsText}
  ), stored_keys as (
    insert into idempotency_keys (client_id, operation, key, fingerprint, accepted)
    select * from json_to_recordset($6::json)
      as k(client_id text, operation text, key text, fingerprint text, accepted json)
    order by 1, 2, 3
    on conflict do nothing returning 1
  ), stored_requests as (
    insert into requests (id, team_id, client_id, operation, resource_id, sender, correlator, callback_url,
      sms_service_id, template_id)
    select * from json_to_recordset($2::json) as r(id uuid, team_id text, client_id text, operation text,
      resource_id text, sender text, correlator text, callback_url text, sms_service_id text,
      template_id text)
  ), stored_messages as (
    insert into messages (request_id, team_id, product, position, channel, phone, content, one_time, units, account_id, state)
    select * from json_to_recordset($3::json) as m(request_id uuid, team_id text, product text, position integer,
      channel text, phone text, content text, one_time boolean, units integer, account_id bigint, state text)
  ), debit as (
    select * from json_to_recordset($5::json) as d(id bigint, units bigint)
  ), ${debitedText}, entries as (
    -- Joined, so that they get their ids only once their account is locked: see ledger_entries_of_account.
    insert into ledger_entries (account_id, units, reason, request_id)
    select e.account_id, e.units, 'Debit', e.request_id
    from json_to_recordset($4::json) as e(account_id bigint, units bigint, request_id uuid)
      join debited on debited.id = e.account_id
  )
  select 1 / (case when (select count(*) from debited) = $7::integer
    and (select count(*) from stored_keys) = $8::integer then 1 else 0 end)`;

const debitText = {
  // Nothing to bring into order, and the step less is felt.
  one: `debited as (
    update accounts set balance = balance - debit.units
    from debit
    where accounts.id = debit.id and accounts.balance >= debit.units
    returning accounts.id
  )`,
  many: `locked as (
    select id from accounts where id in (select id from debit) order by id for update
  ), debited as (
    update accounts set balance = balance - debit.units
    from locked join debit using (id)
    where accounts.id = locked.id and accounts.balance >= debit.units
    returning accounts.id
  )`,
};

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
    sms_service_id: plan.smsServiceId,
    template_id: plan.templateId,
  };
}

function messageRows(plan: Plan) {
  const { requestId } = plan.accepted;
  return plan.messages.map(({ product, position, channel, phone, content, units, accountId, held }) => ({
    request_id: requestId,
    team_id: plan.teamId,
    product,
    position,
    channel,
    phone,
    content,
    one_time: plan.priority === priorities.AUTHENTICATION,
    units,
    account_id: accountId,
    state: held ? 'Held' : 'Queued',
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
export function debitsOf(plans: readonly Plan[]): Map<string, number> {
  const debits = new Map<string, number>();
  for (const plan of plans)
    for (const { accountId, units } of plan.messages)
      if (accountId !== null) debits.set(accountId, (debits.get(accountId) ?? 0) + units);
  return debits;
}

/** What is to be delivered at once: held messages have no job yet. */
function* sharesOf(plans: readonly Plan[], validitySeconds: number): Iterable<RequestShare> {
  for (const plan of plans) {
    const common = {
      requestId: plan.accepted.requestId,
      teamId: plan.teamId,
      priority: plan.priority,
      validSeconds: plan.validitySeconds ?? validitySeconds,
    };
    const shares = new Map<string, RequestShare>();
    for (const { product, channel, held } of plan.messages) {
      if (held) continue;
      const lane = laneOf({ product, channel });
      const share = shares.get(lane);
      if (share === undefined) shares.set(lane, { ...common, product, channel, messages: 1 });
      else share.messages += 1;
    }
    yield* shares.values();
  }
}
