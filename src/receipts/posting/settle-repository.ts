/** Records the outcomes of attempts: on the receipts' rows, and for their origins. */
import type { Knex } from 'knex';
import { stateOfFound } from '../../model/states.ts';
import { ofFew, runStatement } from '../../platform/db/statement.ts';
import type { Attempt } from './attempt.ts';
import { emptyLots, leavingLots } from './lot-repository.ts';
import { failuresUntilParked, type OriginOutcome, parkedAnew } from './parking.ts';
import { unstoredColumns, unstoredRow } from './unstored.ts';

/** Of a receipt that is resent again and again, the latest. */
const attemptsKept = 30;

/** In the row that an origin's outcome adds: of no failures, only that of an untested origin has an end of parking. */
const passed = '(excluded.failures_in_a_row = 0 and excluded.parked_until is null)';

const next = `service_now() + attempt."delaySeconds" * interval '1 second'`;
const entry = `case when attempt.state = 'Waiting'
  then attempt.entry || jsonb_build_object('nextAttemptAt', ${next}) else attempt.entry end`;

const given = `attempt as materialized (
    select * from json_to_recordset($1::json) as a("receiptId" uuid, "teamId" text, "originKey" uuid, origin text,
      state text, "delaySeconds" float8, counts boolean, entry jsonb, "originWorks" boolean, ${unstoredColumns})
  )`;

/** Of receipts that have a row. Rows are locked by id, as everybody does who locks several. */
const settled = `locked as materialized (
    select id, claimed_by from (select "receiptId" from attempt order by 1) as asked, lateral (
      select id, claimed_by, state from receipts where id = "receiptId" for update
    ) as r
    where ${stateOfFound('r')} = 'Waiting'
  ), chosen as materialized (
    select attempt.* from locked join attempt on "receiptId" = id
    where claimed_by = $2 or attempt.state <> 'Waiting'
  ), settled as (
    update receipts r set
      state = attempt.state,
      claimed_by = null,
      attempts = r.attempts + attempt.counts::integer,
      next_attempt_at = ${next},
      attempt_log = jsonb_path_query_array(r.attempt_log || ${entry}, '$[last-${attemptsKept - 1} to last]'),
      updated_at = service_now()
    from chosen as attempt
    where attempt."receiptId" = r.id and ${ofFew('attempt.state')}
  )`;

const origins = `outcome as materialized (
    select "teamId" as team_id, "originKey" as origin_key, min(origin) as origin,
      case when bool_or("originWorks") then 0 else count("originWorks") end as failures,
      -- Nothing was posted: a parked origin is probed with another receipt at once.
      bool_and("originWorks" is null) as untested
    from attempt group by 1, 2
  ), before as materialized (
    select o.team_id, o.origin_key, o.failures_in_a_row as failures
    from outcome join receipt_origins o using (team_id, origin_key)
  ), origins as (
    insert into receipt_origins as known (team_id, origin_key, origin, failures_in_a_row, parked_until)
    select team_id, origin_key, origin, failures,
      case when failures >= ${failuresUntilParked} then ${parkedAnew} when untested then service_now() end
    from outcome
    -- The first success is noted, not those that follow it.
    where failures > 0 or (team_id, origin_key) in (select team_id, origin_key from before where failures > 0)
    order by team_id, origin_key
    on conflict (team_id, origin_key) do update set
      failures_in_a_row = case when ${passed} then 0
        else known.failures_in_a_row + excluded.failures_in_a_row end,
      parked_until = case when excluded.failures_in_a_row > 0
        and known.failures_in_a_row + excluded.failures_in_a_row >= ${failuresUntilParked}
        then ${parkedAnew}
        when excluded.failures_in_a_row = 0 and known.parked_until is not null then excluded.parked_until end
    returning team_id, origin_key, origin, failures_in_a_row as failures
  )`;

/** Of receipts in lots, each becomes a row now. Another process may have made it, after the lease. */
const stored = `stored as (
    insert into receipts (id, request_id, message_id, team_id, client_id, url, origin_key, body, trace, state, attempts,
      next_attempt_at, attempt_log, created_at)
    select "receiptId", "requestId", "messageId", "teamId", "clientId", url, "originKey", body, trace, state,
      counts::integer, ${next}, jsonb_build_array(${entry}), "createdAt"
    from attempt where "createdAt" is not null order by "receiptId"
    on conflict (id) do nothing returning id
  ), emptied as (${emptyLots('$3')})`;

/**
 * An outcome of a receipt that another process has claimed meanwhile counts only when it ends the receipt: the other
 * one tells of its next attempt.
 */
export const settleText = `
  with ${given}, ${origins}, ${settled}, ${stored}
  select (select count(*) from stored)::integer as stored, (
    select json_agg(json_build_object('teamId', team_id, 'origin', origins.origin,
      'failuresBefore', coalesce(before.failures, 0), 'failures', origins.failures))
    from origins left join before using (team_id, origin_key)
  ) as origins`;

const settleStoredText = `with ${given}, ${settled} select`;

export async function settleAttempts(
  knex: Knex,
  claimedBy: string,
  attempts: readonly Attempt[],
): Promise<OriginOutcome[]> {
  const inLots = attempts.flatMap(({ unstored }) => unstored?.inLot ?? []);
  const values = [JSON.stringify(attempts.map(attemptRow)), claimedBy];
  return leavingLots(inLots, async (emptied) => {
    const [row] = await runStatement<{ stored: number; origins: OriginOutcome[] | null }>(knex, {
      name: 'settle receipts',
      text: settleText,
      values: [...values, emptied],
    });
    // The lease of some was over: they have the rows that another process made, perhaps while this statement ran.
    if ((row?.stored ?? 0) < inLots.length)
      await runStatement(knex, {
        text: settleStoredText,
        values: [JSON.stringify(attempts.filter(({ unstored }) => unstored).map(attemptRow)), claimedBy],
      });
    return row?.origins ?? [];
  });
}

function attemptRow({ unstored, ...attempt }: Attempt) {
  return unstored === undefined ? attempt : { ...attempt, ...unstoredRow(unstored) };
}
