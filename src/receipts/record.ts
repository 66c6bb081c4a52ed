/** Moves messages forward, returns the units of those that never left us, and queues the clients' receipts. */
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { FinishedMessage, StateChange } from './states.ts';

/** The body of a finished message's receipt. */
export type RenderReceipt = (message: FinishedMessage) => object;

/**
 * Applies the changes in the caller's transaction. A change that would move a message back, or out of a final
 * state, does nothing; of several changes to one message the first counts. Answers the messages that reached
 * a final state now.
 */
export async function recordChanges(
  trx: Knex.Transaction,
  changes: readonly StateChange[],
  render: RenderReceipt,
): Promise<FinishedMessage[]> {
  if (changes.length === 0) return [];
  const { rows } = await trx.raw<{ rows: FinishedMessage[] }>(
    `with change as (
       select distinct on (id) * from json_to_recordset(?::json) as c(position integer, id bigint, state text,
         network_id text, segments integer, reason text, reason_code text, refund boolean)
       order by id, state = 'Submitted', position
     ), before as (
       -- Locked in one order, so that two transactions with the same messages wait and do not deadlock.
       select m.id, m.state from messages m where m.id in (select id from change) order by m.id for update
     ), moved as (
       update messages m set
         state = change.state,
         network_id = coalesce(change.network_id, m.network_id),
         segments = coalesce(change.segments, m.segments),
         reason = coalesce(change.reason, m.reason),
         reason_code = coalesce(change.reason_code, m.reason_code),
         submitted_at = coalesce(m.submitted_at, case when not change.refund then now() end),
         final_at = case when change.state <> 'Submitted' then now() end
       from change join before on before.id = change.id
       where m.id = change.id
         and (before.state = 'Queued' or before.state = 'Submitted' and change.state <> 'Submitted')
       returning m.*, change.refund and before.state = 'Queued' and m.units > 0 as refund
     ), refunded as (
       insert into ledger_entries (account_id, units, reason, request_id, message_id)
       select account_id, units, 'Refund', request_id, id from moved where refund
       returning account_id, units
     ), credited as (
       update accounts set balance = balance + due.units
       from (select account_id, sum(units) as units from refunded group by account_id) as due
       where accounts.id = due.account_id
     )
     select moved.id as "messageId", moved.request_id as "requestId", requests.client_id as "clientId",
       requests.correlator, requests.callback_url as "callbackUrl", moved.channel, moved.phone, moved.state,
       moved.final_at as "finalAt", moved.reason, moved.reason_code as "reasonCode"
     from moved join requests on requests.id = moved.request_id
     where moved.state <> 'Submitted'`,
    [JSON.stringify(changes.map(changeRow))],
  );
  await insertReceipts(trx, rows, render);
  return rows;
}

function changeRow(change: StateChange, position: number) {
  return {
    position,
    id: change.messageId,
    state: change.state,
    network_id: change.networkId,
    segments: change.segments,
    reason: change.reason,
    reason_code: change.reasonCode,
    refund: change.refund,
  };
}

async function insertReceipts(
  trx: Knex.Transaction,
  finished: readonly FinishedMessage[],
  render: RenderReceipt,
): Promise<void> {
  const receipts = finished.flatMap((message) =>
    message.callbackUrl === null
      ? []
      : [
          {
            id: randomUUID(),
            request_id: message.requestId,
            message_id: message.messageId,
            client_id: message.clientId,
            url: message.callbackUrl,
            origin: new URL(message.callbackUrl).origin,
            body: JSON.stringify(render(message)),
          },
        ],
  );
  if (receipts.length === 0) return;
  await trx.raw(
    `insert into receipts (id, request_id, message_id, client_id, url, origin, body)
     select * from json_to_recordset(?::json) as r(id uuid, request_id uuid, message_id bigint, client_id text,
       url text, origin text, body text)`,
    [JSON.stringify(receipts)],
  );
}

/** A network's silence ends in the uncertain state. Answers the messages it ended, at most `limit`. */
export async function recordSilence(
  trx: Knex.Transaction,
  silenceSeconds: number,
  limit: number,
  render: RenderReceipt,
): Promise<FinishedMessage[]> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `select id from messages
     where state = 'Submitted' and submitted_at < now() - ? * interval '1 second'
     order by submitted_at limit ? for update skip locked`,
    [silenceSeconds, limit],
  );
  return recordChanges(
    trx,
    rows.map(({ id }) => ({
      messageId: id,
      state: 'DeliveryUncertain',
      reason: 'The network sent no report',
      refund: false,
    })),
    render,
  );
}
