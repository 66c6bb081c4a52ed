/** Lets go of SMS that waited for a bundle: queued once it was delivered, cancelled and paid back if it was not. */
import type { Knex } from 'knex';
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
     ), refunded as (
       insert into ledger_entries (account_id, units, reason, request_id, message_id)
       select account_id, units, 'Refund', request_id, id from moved where not delivered and units > 0
       returning account_id, units
     ), due as (
       select account_id as id, sum(units) as units from refunded group by account_id
     ), locked as (
       select id from accounts where id in (select id from due) order by id for update
     ), credited as (
       update accounts set balance = balance + due.units from locked join due using (id)
       where accounts.id = locked.id
     )
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
