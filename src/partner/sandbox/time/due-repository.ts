/** Finds out what is due in the sandbox's database, and when the next thing will be. */
import type { Knex } from 'knex';
import { awaitingReport } from '../../../model/states.ts';
import { silenceSeconds } from '../../../process/worker/chores.ts';

export interface Due {
  /** How much is due now. */
  count: number;
  /** Milliseconds since 1970; undefined when nothing lies ahead. */
  nextMs: number | undefined;
}

export async function findDue(knex: Knex): Promise<Due> {
  const { rows } = await knex.raw<{ rows: { count: number; nextMs: number | null }[] }>(
    `with instants as (
       select unnest(array[due_at, expires_at]) as at from jobs
       union all select send_at from messages where scheduled
       union all select next_look_at from network_reports
       union all select due_at from simulated_reports
       union all ${awaitingReport("submitted_at + :silenceSeconds * interval '1 second'")}
       union all select greatest(r.next_attempt_at, o.parked_until)
         from receipts r left join receipt_origins o using (team_id, origin_key) where r.state = 'Waiting'
       union all select leased_until from receipt_lots
       union all select paused_until from connectors where paused
     )
     select count(*) filter (where at <= service_now())::integer as count,
       (extract(epoch from min(at) filter (where at > service_now())) * 1000)::float8 as "nextMs"
     from instants`,
    { silenceSeconds },
  );
  const { count = 0, nextMs = null } = rows[0] ?? {};
  return { count, nextMs: nextMs ?? undefined };
}
