/** Moves messages to their next states. */
import type { Knex } from 'knex';
import { productsWith } from '../model/products.ts';
import {
  listOf,
  passedStates,
  type ReachedState,
  type StateChange,
  silentStates,
  statesBefore,
  statesThat,
  statesUnderWay,
} from '../model/states.ts';
import { ofFew, runStatement } from '../platform/db/statement.ts';
import type { Refund } from './refund-repository.ts';

/** With what is to be refunded. */
export type Moved = ReachedState & { refund: Refund | null };

/** At most one change of each message. Returns the messages that reached a state that is announced. */
export async function moveMessages(trx: Knex.Transaction, changes: readonly StateChange[]): Promise<Moved[]> {
  return runStatement(trx, {
    name: 'move messages',
    text: moveText,
    values: [JSON.stringify(changes.map(changeRow)), productsWith('refundedAfterSubmission')],
  });
}

const unsubmitted = listOf(statesThat('unsubmitted'));

/** Each message and request is looked up by its key, whatever the sizes of the tables were when this was planned. */
export const moveText = `
  with change as materialized (
    select *, state not in ${listOf(silentStates)} as announced
    from json_to_recordset($1::json) as c(id bigint, product text, state text, states_before text[],
      connector text, network_id text, segments integer, reason text, reason_code text, details jsonb,
      refund boolean, accepted boolean, reached_at timestamptz)
    -- Messages are locked in one order, so that two transactions with the same ones wait and do not deadlock.
    order by id
  ), before as materialized (
    select change.*, m.state as state_before from change, lateral (
      select state, product from messages where id = change.id for update
    ) as m
    where m.product = change.product
  ), named as (
    -- A report was faster than the response, which knows the network's id and the parts.
    update messages m set connector = change.connector, network_id = change.network_id,
      segments = coalesce(change.segments, m.segments)
    from before as change
    where m.id = change.id and ${ofFew('change.product')} and change.network_id is not null
      and coalesce(m.connector, change.connector) = change.connector
      and state_before <> all(change.states_before)
  ), moved as (
    update messages m set
      state = change.state,
      connector = coalesce(change.connector, m.connector),
      -- The response to the submission names a message; reports only do if it did not.
      network_id = case when change.connector is null then coalesce(m.network_id, change.network_id)
        else coalesce(change.network_id, m.network_id) end,
      segments = coalesce(change.segments, m.segments),
      reason = coalesce(change.reason, m.reason),
      reason_code = coalesce(change.reason_code, m.reason_code),
      details = coalesce(change.details, m.details),
      submitted_at = case
        when change.state = 'Sending' then m.submitted_at
        when change.accepted then coalesce(m.submitted_at, service_now())
        when state_before not in ${unsubmitted} then m.submitted_at end,
      content = case when m.one_time and change.state not in ${listOf(statesUnderWay)} then '' else m.content end,
      final_at = case when change.state not in ${listOf(statesUnderWay)} then service_now() end,
      sequence = m.sequence + announced::integer,
      passed_states = case when announced then ${passedStates('m')} else m.passed_states end,
      -- Clocks of networks are wrong by hours: nothing happens before its hand-over, which networks tell in
      -- whole seconds, nor in the future, nor before the state before it.
      reached_at = case when announced then greatest(least(change.reached_at, service_now()),
        date_trunc('second', coalesce(m.submitted_at, service_now())), m.reached_at) else m.reached_at end
    from before as change
    where m.id = change.id and ${ofFew('change.product')} and state_before = any(change.states_before)
    returning m.*, change.refund and m.units > 0 and m.account_id is not null
      and (state_before in ${unsubmitted} or m.product = any($2::text[]))
      -- A part that left is spent, whatever became of the others.
      and not exists (select from message_parts p where p.message_id = m.id and p.number is not null) as refund,
      announced
  )
  select moved.id as "messageId", moved.sequence, moved.product, moved.request_id as "requestId",
    requests.team_id as "teamId", requests.client_id as "clientId", requests.resource_id as "resourceId",
    moved.position,
    requests.correlator, requests.callback_url as "callbackUrl", requests.trace, moved.channel, moved.phone, moved.content,
    moved.network_id as "networkId", moved.state, moved.reached_at as "reachedAt",
    coalesce(moved.passed_states -> 'Delivered' is not null, false) as "wasDelivered", moved.reason,
    moved.reason_code as "reasonCode", requests.fallback is not null as "hasFallback",
    case when moved.refund then json_build_object('accountId', moved.account_id::text, 'units', moved.units,
      'requestId', moved.request_id, 'messageId', moved.id::text) end as refund
  from moved, lateral (select * from requests where id = moved.request_id offset 0) as requests
  where announced`;

function changeRow(change: StateChange) {
  return {
    id: change.messageId,
    product: change.product,
    state: change.state,
    states_before: statesBeforeChange(change),
    connector: change.connector,
    network_id: change.networkId,
    segments: change.segments,
    reason: change.reason,
    reason_code: change.reasonCode,
    details: change.details,
    refund: change.refund,
    accepted: change.accepted ?? true,
    reached_at: change.reachedAt,
  };
}

/** A reversal may come before the report of the delivery that it takes back. */
function statesBeforeChange({ product, state, reversal }: StateChange): readonly string[] {
  const before = statesBefore(product, state);
  return reversal ? [...before, 'Delivered'] : before;
}
