/** Releases SMS that wait for a bundle: queued once it is delivered, cancelled if it is not. */
import type { Knex } from 'knex';
import { type JobMessage, jobsOf, type Queue } from '../queue/queue.ts';
import type { Refund } from '../receipts/refund-repository.ts';
import type { ReachedState } from '../receipts/states.ts';

type Released = JobMessage & { delivered: boolean; accountId: string | null; units: number };

/**
 * Runs in the transaction that records the bundles' final states; of several states of one bundle the last one
 * counts. A cancelled SMS has no receipt; answers what is to be paid back for it.
 */
export async function releaseHeld(
  trx: Knex.Transaction,
  queue: Pick<Queue, 'insert'>,
  bundles: readonly ReachedState[],
): Promise<Refund[]> {
  const last = new Map(bundles.map((bundle) => [bundle.messageId, bundle]));
  const { rows } = await trx.raw<{ rows: Released[] }>(
    `with bundle as (
       select * from json_to_recordset(?::json) as b(request_id uuid, position integer, delivered boolean)
     ), held as (
       select m.id, delivered from messages m join bundle using (request_id, position)
       where m.product = 'sms' and m.state = 'Held' order by m.id for update of m
     ), released as (
       update messages m set
         state = case when delivered then 'Queued' else 'Cancelled' end,
         released_at = now(),
         final_at = case when not delivered then now() end
       from held where m.id = held.id
       returning m.*, delivered
     )
     select id, request_id as "requestId", product, channel, delivered, account_id as "accountId", units
     from released order by id`,
    [
      JSON.stringify(
        [...last.values()].map(({ requestId, position, state }) => ({
          request_id: requestId,
          position,
          delivered: state === 'Delivered',
        })),
      ),
    ],
  );
  await queue.insert(trx, 'deliver', jobsOf(rows.filter(({ delivered }) => delivered)));
  return rows.flatMap(({ id: messageId, delivered, accountId, units, requestId }) =>
    delivered || accountId === null || units === 0 ? [] : [{ accountId, units, requestId, messageId }],
  );
}
