/** Finds out when the next work is due. */
import type { Knex } from 'knex';
import { stateInSecondOrder } from '../model/states.ts';

/** Milliseconds until then, 0 or less when something is due now; undefined: nothing waits for its time. */
export async function untilNextDue(knex: Knex): Promise<number | undefined> {
  const { rows } = await knex.raw<{ rows: { ms: number | null }[] }>(
    `select (extract(epoch from least(
       (select min(due_at) from jobs), (select min(expires_at) from jobs where expires_at is not null),
       (select min(send_at) from messages where scheduled), (select min(next_look_at) from network_reports), (select min(due_at) from simulated_reports),
       (select min(next_attempt_at) from receipts where ${stateInSecondOrder('receipts')} = 'Waiting'),
       (select min(leased_until) from receipt_lots),
       (select min(paused_until) from connectors where paused)
     ) - service_now()) * 1000)::float8 as ms`,
  );
  return rows[0]?.ms ?? undefined;
}
