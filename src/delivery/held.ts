/** Releases SMS that wait for another message of their place: a bundle that they accompany, or a chat-app message that they are in reserve for. */
import type { Knex } from 'knex';
import { type Category, type FallbackState, priorities } from '../model/plan.ts';
import { badStates, isFinal, type ReachedState, stateOfFound } from '../model/states.ts';
import { ownCodes, ownReasons } from '../model/words/told.ts';
import { secondsLeft } from '../queue/clock-set-back.ts';
import { type JobMessage, jobsOf } from '../queue/fold-jobs.ts';
import type { Queue } from '../queue/queue.ts';
import type { Refund } from '../receipts/refund-repository.ts';
import { joinedService } from './repository.ts';

/** A bundle that has ended. */
export interface EndedBundle {
  messageId: string;
  requestId: string;
  position: number;
  state: string;
}

/** What becomes of the SMS of a place. */
interface Decided {
  requestId: string;
  position: number;
  leaves: boolean;
  /** Why, if it does not leave. */
  reason: string;
  reasonCode: string;
}

interface Settled extends Omit<JobMessage, 'teamId' | 'priority' | 'validSeconds'> {
  leaves: boolean;
  accountId: string | null;
  units: number;
  teamId: string;
  category: Category;
  /** Until it expires, or would if it left. */
  secondsLeft: number;
}

/** Of what waits for a time, only SMS in reserve are of one place with another message. */
const waits = `m.product = 'sms' and ${stateOfFound('m')} in ('Held', 'Scheduled')`;

/**
 * `validitySeconds`: how long an SMS may wait whose service does not say. Runs in the transaction that records the
 * other messages' states. A cancelled SMS has no receipt; returns what is to be refunded for it.
 */
async function settle(
  trx: Knex.Transaction,
  queue: Pick<Queue, 'insert'>,
  decided: readonly Decided[],
  validitySeconds: number,
): Promise<Refund[]> {
  if (decided.length === 0) return [];
  const { rows } = await trx.raw<{ rows: Settled[] }>(
    `with decided as (
       select * from json_to_recordset(:decided::json)
         as d("requestId" uuid, position integer, leaves boolean, reason text, "reasonCode" text)
     ), waiting as (
       select m.id, leaves, d.reason, d."reasonCode"
       from messages m join decided d on d."requestId" = m.request_id and d.position = m.position
       where ${waits} order by m.id for update of m
     ), settled as (
       update messages m set
         state = case when leaves then 'Queued' else 'Cancelled' end,
         released_at = case when leaves then service_now() end,
         final_at = case when not leaves then service_now() end,
         content = case when one_time and not leaves then '' else content end,
         reason = case when not leaves then waiting.reason end,
         reason_code = case when not leaves then "reasonCode" end
       from waiting where m.id = waiting.id
       returning m.*, leaves
     )
     select m.id, m.request_id as "requestId", m.product, m.channel, m.leaves, m.account_id as "accountId", m.units,
       r.team_id as "teamId", r.category, ${secondsLeft(':validitySeconds')} as "secondsLeft"
     from settled m join requests r on r.id = m.request_id ${joinedService}
     order by m.id`,
    { decided: JSON.stringify(decided), validitySeconds },
  );
  const released = rows.filter(({ leaves }) => leaves);
  await queue.insert(
    trx,
    'deliver',
    jobsOf(
      released.map(({ secondsLeft: left, category, ...message }) => ({
        ...message,
        priority: priorities[category],
        validSeconds: Math.max(0, left),
      })),
    ),
  );
  return rows.flatMap(({ id: messageId, leaves, accountId, units, requestId }) =>
    leaves || accountId === null || units === 0 ? [] : [{ accountId, units, requestId, messageId }],
  );
}

/** Of several states of one bundle the last one counts. */
export function releaseHeld(
  trx: Knex.Transaction,
  queue: Pick<Queue, 'insert'>,
  bundles: readonly EndedBundle[],
  validitySeconds: number,
): Promise<Refund[]> {
  const last = new Map(bundles.map((bundle) => [bundle.messageId, bundle]));
  const decided = [...last.values()].map(({ requestId, position, state }) => ({
    ...{ requestId, position, leaves: state === 'Delivered' },
    ...{ reason: ownReasons.bundleNotDelivered, reasonCode: ownCodes.bundleNotDelivered },
  }));
  return settle(trx, queue, decided, validitySeconds);
}

/** Whoever cancelled the message, or does not want it, does not want the SMS either. */
const unwanted: readonly string[] = ['SubscriberOptedOut', 'Cancelled'];

/**
 * An SMS in reserve leaves at once when its chat-app message comes to a bad end, and is cancelled when that is delivered; what
 * has left stays as it is. Returns what has become of each, by its chat-app message.
 */
export async function settleFallbacks(
  trx: Knex.Transaction,
  queue: Pick<Queue, 'insert'>,
  reached: readonly ReachedState[],
  validitySeconds: number,
): Promise<{ refunds: Refund[]; states: Map<string, FallbackState> }> {
  const decided = new Map(reached.flatMap((one) => (decides(one) ? [[one.messageId, decisionOf(one)]] : [])));
  const refunds = await settle(trx, queue, [...decided.values()], validitySeconds);
  const places = reached.map(({ messageId, requestId, position }) => ({ messageId, requestId, position }));
  const { rows } = await trx.raw<{ rows: { messageId: string; state: FallbackState }[] }>(
    `select "messageId", case ${stateOfFound('m')} when 'Scheduled' then 'Waiting' when 'Cancelled' then 'NotSent' else 'Sent' end as state
     from json_to_recordset(?::json) as p("messageId" text, "requestId" uuid, position integer)
       join messages m on m.request_id = p."requestId" and m.position = p.position and m.product = 'sms'`,
    [JSON.stringify(places)],
  );
  return { refunds, states: new Map(rows.map(({ messageId, state }) => [messageId, state])) };
}

const decides = ({ product, state }: ReachedState) => state === 'Delivered' || isFinal(product, state);

function decisionOf({ requestId, position, state }: ReachedState): Decided {
  const reason = unwanted.includes(state) ? ownReasons.chatAppUnwanted : ownReasons.chatAppDelivered;
  return {
    ...{ requestId, position, leaves: badStates.includes(state) && !unwanted.includes(state) },
    ...{ reason, reasonCode: ownCodes.fallbackNotNeeded },
  };
}
