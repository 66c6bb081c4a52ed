/** The statement that stores everything that plans promise. */
import type { Knex } from 'knex';
import { type Plan, type PlannedMessage, priorities } from '../model/plan.ts';
import type { MessageState } from '../model/states.ts';
import { runStatement } from '../platform/db/statement.ts';
import { foldJobs, type RequestShare } from '../queue/fold-jobs.ts';
import { laneOf } from '../queue/job.ts';
import { deliveryInsertion } from '../queue/queue.ts';
import { capUsesOf } from './caps.ts';
import { countCaps } from './commit-caps.ts';

/** How `refuse_plans()` says that an account was short or a key was taken. */
export const notAllStored = 'TA001';

/**
 * Everything the plans promise, and the keys of `keyed`, in one statement: one trip to the database, and an
 * account's row is locked for its length only. Fails with `notAllStored` when an account is short or a key is
 * taken.
 */
export async function store(
  knex: Knex,
  plans: readonly Plan[],
  keyed: readonly Plan[],
  validitySeconds: number,
): Promise<void> {
  const debits = debitsOf(plans);
  const keys = keyed.filter((plan) => plan.idempotency !== undefined).map(keyRow);
  const jobs = foldJobs(sharesOf(plans, validitySeconds));
  const insertion = deliveryInsertion(jobs);
  const groups = plans.flatMap(groupsOf);
  const variant = debits.size > 1 ? 'many' : 'one';
  const caps = capUsesOf(plans);
  await runStatement(knex, {
    name: `accept ${variant}${caps.length === 0 ? '' : ' capped'}`,
    text: acceptText(insertion.text, debitText[variant], caps.length > 0),
    values: [
      insertion.value,
      JSON.stringify(plans.map(requestRow)),
      JSON.stringify(groups.filter(isSingle).map(messageRow)),
      JSON.stringify(plans.flatMap(debitEntries)),
      JSON.stringify([...debits].map(([id, units]) => ({ id, units }))),
      JSON.stringify(keys),
      debits.size,
      keys.length,
      jobs.length + plans.length + plans.reduce((sum, { messages }) => sum + messages.length, 0),
      JSON.stringify(groups.filter((group) => !isSingle(group)).map(groupRow)),
      ...(caps.length === 0 ? [] : [JSON.stringify(caps), caps.length]),
    ],
  });
}

/*
 * The last `case` carries out its parts in this order: all that nobody waits for first, then what may have to wait, keys
 * before caps before accounts, so that an account is locked for a moment only. Sorted where rows may be locked by others, so that two
 * batches wait for each other instead of deadlocking.
 */
const acceptText = (jobsText: string, debitedText: string, isCapped: boolean) => `
  with stored_jobs as (${jobsText}
    returning 1
  ), stored_keys as (
    insert into idempotency_keys (client_id, operation, key, fingerprint, accepted)
    select * from json_to_recordset($6::json)
      as k(client_id text, operation text, key text, fingerprint text, accepted json)
    order by 1, 2, 3
    on conflict do nothing returning 1
  ), stored_requests as (
    insert into requests (id, team_id, client_id, operation, resource_id, sender, correlator, callback_url,
      sms_service_id, template_id, category, send_at, valid_until, time_zone, registrations, message_class, confirmation, trace,
      fallback)
    select * from json_to_recordset($2::json) as r(id uuid, team_id text, client_id text, operation text,
      resource_id text, sender text, correlator text, callback_url text, sms_service_id text,
      template_id text, category text, send_at timestamptz, valid_until timestamptz, time_zone text,
      registrations jsonb, message_class smallint, confirmation boolean, trace text, fallback jsonb)
    returning 1
  ), stored_messages as (
    insert into messages (request_id, team_id, product, position, channel, phone, content, one_time, units, account_id, state,
      send_at, valid_from, sender)
    select * from json_to_recordset($3::json) as m(request_id uuid, team_id text, product text, position integer,
      channel text, phone text, content text, one_time boolean, units integer, account_id bigint, state text,
      send_at timestamptz, valid_from timestamptz, sender text)
    union all
    select request_id, team_id, product, m.position, channel, m.phone, coalesce(m.content, g.content), one_time, units,
      account_id, state, send_at, valid_from, sender
    from json_to_recordset($10::json) as g(request_id uuid, team_id text, product text, channel text, content text,
        one_time boolean, units integer, account_id bigint, state text, send_at timestamptz, valid_from timestamptz, sender text,
        positions integer[], phones text[], contents text[]),
      unnest(positions, phones, contents) as m(position, phone, content)
    returning 1
  ), ${isCapped ? `capped as (${countCaps('$11')}), ` : ''}debit as (
    select * from json_to_recordset($5::json) as d(id bigint, units bigint)
  ), ${debitedText}, entries as (
    -- Joined, so that they get their ids only once their account is locked: see ledger_entries_of_account.
    insert into ledger_entries (account_id, units, reason, request_id)
    select e.account_id, e.units, 'Debit', e.request_id
    from json_to_recordset($4::json) as e(account_id bigint, units bigint, request_id uuid)
      join debited on debited.id = e.account_id
  )
  select case
    when (select count(*) from stored_jobs) + (select count(*) from stored_requests)
      + (select count(*) from stored_messages) <> $9::integer then refuse_plans()
    when (select count(*) from stored_keys) <> $8::integer then refuse_plans()
    ${isCapped ? 'when (select count(*) from capped) <> $12::integer then refuse_plans()' : ''}
    when (select count(*) from debited) <> $7::integer then refuse_plans()
  end`;

const debitText = {
  // There is nothing to sort, and one step less is measurable.
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
    category: plan.category,
    confirmation: plan.confirmation ?? false,
    send_at: plan.schedule?.sendAt,
    valid_until: plan.schedule?.validUntil ?? plan.validUntil,
    time_zone: plan.timeZone,
    registrations: plan.registrations,
    message_class: plan.messageClass,
    trace: plan.trace,
    fallback: plan.fallback,
  };
}

/** Messages of one plan that differ only in place, phone and content: repeating the rest costs the database most. */
interface MessageGroup {
  plan: Plan;
  messages: [PlannedMessage, ...PlannedMessage[]];
}

const isSingle = ({ messages }: MessageGroup) => messages.length === 1;

function groupsOf(plan: Plan): MessageGroup[] {
  const alike = Map.groupBy(
    plan.messages,
    ({ product, channel, units, accountId, held, sendAt, sender }) =>
      `${product} ${units} ${accountId} ${held} ${sendAt} ${sender} ${channel}`,
  );
  return [...alike.values()].map((messages) => ({ plan, messages: messages as MessageGroup['messages'] }));
}

function commonRow({ plan, messages: [message] }: MessageGroup) {
  const { product, channel, units, accountId, sendAt, sender, inReserve } = message;
  return {
    request_id: plan.accepted.requestId,
    team_id: plan.teamId,
    product,
    channel,
    one_time: plan.category === 'AUTHENTICATION',
    units,
    account_id: accountId,
    state: stateOf(message),
    send_at: sendAt,
    valid_from: inReserve && sendAt,
    sender,
  };
}

function stateOf({ held, sendAt }: PlannedMessage): MessageState {
  if (held) return 'Held';
  return sendAt === undefined ? 'Queued' : 'Scheduled';
}

/** For a single message a list costs more than it saves. */
function messageRow(group: MessageGroup) {
  const [{ position, phone, content }] = group.messages;
  return { ...commonRow(group), position, phone, content };
}

function groupRow(group: MessageGroup) {
  const { messages } = group;
  const [{ content }] = messages;
  return {
    ...commonRow(group),
    positions: messages.map(({ position }) => position),
    phones: messages.map(({ phone }) => phone),
    ...(messages.every((one) => one.content === content)
      ? { content }
      : { contents: messages.map((one) => one.content) }),
  };
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

/** What is to be delivered at once: other messages have no job yet. */
function* sharesOf(plans: readonly Plan[], validitySeconds: number): Iterable<RequestShare> {
  for (const plan of plans) {
    const common = {
      requestId: plan.accepted.requestId,
      teamId: plan.teamId,
      priority: priorities[plan.category],
      // What is queued of a scheduled request ends when it is claimed, also while its connector takes nothing.
      validSeconds: plan.schedule === undefined ? (plan.validitySeconds ?? validitySeconds) : 0,
    };
    const shares = new Map<string, RequestShare>();
    for (const message of plan.messages) {
      if (stateOf(message) !== 'Queued') continue;
      const { product, channel, way } = message;
      const lane = laneOf({ product, channel, way });
      const share = shares.get(lane);
      if (share === undefined) shares.set(lane, { ...common, product, channel, way, messages: 1 });
      else share.messages += 1;
    }
    yield* shares.values();
  }
}

export function keyRow(plan: Plan) {
  return {
    client_id: plan.clientId,
    operation: plan.operation,
    key: plan.idempotency?.key,
    fingerprint: plan.idempotency?.fingerprint,
    accepted: plan.accepted,
  };
}
