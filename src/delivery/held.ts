/** Lets go of SMS that waited for a bundle: queued once it was delivered, cancelled and paid back if it was not. */
import type { Knex } from 'knex';
import { refundOf } from '../receipts/refund.ts';
import type { ReachedState } from '../receipts/states.ts';
import { type JobMessage, jobsOf, type Queue } from './queue.ts';

/** Runs in the transaction that records the bundles' final states. A cancelled SMS has no receipt. */
export async function releaseHeld(
  trx: Knex.Transaction,
  queue: Pick<Queue, 'insert'>,
  bundles: readonly ReachedState[],
): Promise<void> {
  const { rows } = await trx.raw<{ rows: JobMessage[] }>(
    `with bundle as (
       select * from json_to_recordset(?::json) as b(request_id uuid, position integer, delivered boolean)
     ), moved as (
       update messages m set
         state = case when delivered then 'Queued' else 'Cancelled' end,
         released_at = now(),
         final_at = case when not delivered then now() end
       from bundle
       where m.request_id = bundle.request_id and m.position = bundle.position and m.product = 'sms'
         and m.state = 'Held'
       returning m.*, delivered
     ), ${refundOf('not delivered and units > 0')}
     select id, request_id as "requestId", product, channel from moved where delivered order by id`,
    [
      JSON.stringify(
        bundles.map(({ requestId, position, state }) => ({
          request_id: requestId,
          position,
          delivered: state === 'Delivered',
        })),
      ),
    ],
  );
  await queue.insert(trx, 'deliver', jobsOf(rows));
}
