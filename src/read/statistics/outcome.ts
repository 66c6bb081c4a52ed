/**
 * The keys and outcomes of counted messages: SQL over `m` (messages) and `r` (requests), and the steps of latencies.
 */
import { goodStates, listOf } from '../../model/states.ts';
import { ownCodes } from '../../model/words/told.ts';

/** A message under the columns of `message_counts`, without their sums. */
export const countedColumns = `
  m.team_id, date_trunc('hour', r.created_at, 'UTC') as hour, m.product, m.channel, r.resource_id,
  coalesce(r.template_id, '') as template_id, coalesce(m.connector, '') as connector, coalesce(m.sender, r.sender, '') as sender,
  case when m.reason_code = '${ownCodes.fallbackNotNeeded}' then 'unused' when m.state in ${listOf(goodStates)} then 'delivered' when m.final_at is not null then 'failed' else 'open' end
    as outcome,
  coalesce(case when m.product = 'chatapp' then
    m.details ->> 'billedAs' || case m.details ->> 'billable' when 'false' then ' (free)' else '' end end, '') as billed_as`;

/** Null where it is not known: a message that was read no longer says when it was delivered. Of a scheduled one since its release. */
const latency = `case when m.state = 'Delivered' then
  greatest(1, (extract(epoch from m.reached_at - case when m.send_at is null then r.created_at else m.released_at end)
    * 1000)::bigint) end`;

/** Half octaves of milliseconds: an hour has about ten of them, and each is known to a fifth. */
export const latencyColumns = `
  coalesce(ceil(2 * log(2, (${latency})::numeric)), -1)::smallint as latency, coalesce(${latency}, 0) as latency_ms`;

/** In the middle of a step. */
export function secondsOfStep(step: number): number {
  return 2 ** ((step - 0.5) / 2) / 1000;
}
