/** Marks messages as late that their networks owe a report for some time, so that they are few to look through. */
import type { Knex } from 'knex';
import { awaitsReport } from '../model/states.ts';

const lateSeconds = 600;
/** What was handed over within this time is looked through together. */
const secondsTogether = 30;
const mostLooks = 100;

/** Each message is looked at once, when all but few have their report; returns whether there may be more at once. */
export async function markLate(knex: Knex, silenceSeconds: number): Promise<boolean> {
  const age = Math.min(lateSeconds, silenceSeconds);
  for (let looks = 0; looks < mostLooks; looks += 1) if (!(await lookOn(knex, age))) return false;
  return true;
}

interface Stretch {
  since: string;
  until: string;
  more: boolean;
}

/** Looks through the next stretch of time in which messages were handed over. */
function lookOn(knex: Knex, ageSeconds: number): Promise<boolean> {
  return knex.transaction(async (trx) => {
    const { rows } = await trx.raw<{ rows: Stretch[] }>(
      `select since::text, least(since + interval '${secondsTogether} s', latest)::text as until,
         since + interval '${secondsTogether} s' < latest as more
       from (select looked_until from late_reports for update skip locked) as place,
         lateral (select service_now() - :ageSeconds * interval '1 second' as latest) as now,
         -- The sandbox's clock goes back whenever a test likes.
         lateral (select least(latest, coalesce((
           select submitted_at from messages where submitted_at >= looked_until order by submitted_at limit 1
         ), latest)) as since) as next
       where looked_until <> latest`,
      { ageSeconds },
    );
    const [stretch] = rows;
    if (stretch === undefined) return false;
    // By its own times, which the planner sees: the table may be of any size.
    await trx.raw(
      `update messages set late = true where id = any(array(
         select id from messages where submitted_at >= :since and submitted_at < :until and ${awaitsReport}
         order by id for update
       ))`,
      { since: stretch.since, until: stretch.until },
    );
    await trx.raw('update late_reports set looked_until = :until', { until: stretch.until });
    return stretch.more;
  });
}
