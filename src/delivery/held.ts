/** Releases SMS that wait for a bundle: queued once it is delivered, cancelled if it is not. */
import type { Knex } from 'knex';
import { priorities } from '../model/plan.ts';
import { stateOfFound } from '../model/states.ts';
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

interface Released extends Omit<JobMessage, 'teamId' | 'priority' | 'validSeconds'> {
  delivered: boolean;
  accountId: string | null;
  units: number;
  teamId: string;
  /** Until it expires, or would if its bundle had been delivered. */
  secondsLeft: number;
}

/**
 * `validitySeconds`: how long an SMS may wait whose service does not say. Runs in the transaction that records the
 * bundles' final states; of several states of one bundle the last one counts. A cancelled SMS has no receipt; returns
 * what is to be refunded for it.
 */
export async function releaseHeld(
  trx: Knex.Transaction,
  queue: Pick<Queue, 'insert'>,
  bundles: readonly EndedBundle[],
  validitySeconds: number,
): Promise<Refund[]> {
  const last = new Map(bundles.map((bundle) => [bundle.messageId, bundle]));
  const { rows } = await trx.raw<{ rows: Released[] }>(
    `with bundle as (
       select * from json_to_recordset(:bundles::json) as b(request_id uuid, position integer, delivered boolean)
     ), held as (
       select m.id, delivered from messages m join bundle using (request_id, position)
       where ${stateOfFound('m')} = 'Held' order by m.id for update of m
     ), released as (
       update messages m set
         state = case when delivered then 'Queued' else 'Cancelled' end,
         released_at = case when delivered then service_now() end,
         final_at = case when not delivered then service_now() end
       from held where m.id = held.id
       returning m.*, delivered
     )
     select m.id, m.request_id as "requestId", m.product, m.channel, m.delivered, m.account_id as "accountId", m.units,
       r.team_id as "teamId", ${secondsLeft(':validitySeconds')} as "secondsLeft"
     from released m join requests r on r.id = m.request_id ${joinedService}
     order by m.id`,
    {
      bundles: JSON.stringify(
        [...last.values()].map(({ requestId, position, state }) => ({
          request_id: requestId,
          position,
          delivered: state === 'Delivered',
        })),
      ),
      validitySeconds,
    },
  );
  const released = rows.filter(({ delivered }) => delivered);
  await queue.insert(
    trx,
    'deliver',
    jobsOf(
      released.map(({ secondsLeft: left, ...message }) => ({
        ...message,
        priority: priorities.UTILITY,
        validSeconds: Math.max(0, left),
      })),
    ),
  );
  return rows.flatMap(({ id: messageId, delivered, accountId, units, requestId }) =>
    delivered || accountId === null || units === 0 ? [] : [{ accountId, units, requestId, messageId }],
  );
}
