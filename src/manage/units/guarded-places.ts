/** Lists where codes go beyond the guard of a team, with the limits there and how it came to that. */
import { standingOf } from '../../accept/codes/rule.ts';
import type { Management } from '../management.ts';
import { listedTeam } from '../resource.ts';
import { type CountedPlace, findGuardedPlaces } from './guarded-places-repository.ts';

type Count = CountedPlace['counts'][number];
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export async function listPlaces(
  management: Management,
  { team, ...asked }: { team: string | undefined; place: string | undefined; limit: number },
) {
  const places = await findGuardedPlaces(management.knex, {
    ...asked,
    team: await listedTeam(management, team),
  });
  return places.map(shown);
}

/** In this hour and the 23 before, hour by hour, and day by day before that. */
function shown({ nowMs, counts, ...place }: CountedPlace) {
  const thisHour = Math.floor(nowMs / hourMs) * hourMs;
  const oldestDay = (Math.floor(nowMs / dayMs) - 13) * dayMs;
  const hours = counts.filter(({ hour }) => hour > thisHour - dayMs);
  const days = Map.groupBy(
    counts.filter(({ hour }) => hour >= oldestDay),
    ({ hour }) => Math.floor(hour / dayMs) * dayMs,
  );
  const { day, hour } = standingOf(counts, nowMs);
  const last = sumOf(hours.filter((one) => one.hour === thisHour));
  return {
    ...place,
    ...sumOf(hours),
    limit: day.limit,
    sentInHour: last.sent,
    confirmedInHour: last.confirmed,
    limitInHour: hour.limit,
    hours: hours.map((one) => ({ from: new Date(one.hour), ...sumOf([one]) })),
    days: [...days].map(([from, own]) => ({ from: new Date(from), ...sumOf(own) })),
  };
}

function sumOf(counts: readonly Count[]) {
  const sum = { sent: 0, confirmed: 0, over: 0, overConfirmed: 0 };
  for (const { sent, confirmed, over, overConfirmed } of counts) {
    sum.sent += sent;
    sum.confirmed += confirmed;
    sum.over += over;
    sum.overConfirmed += overConfirmed;
  }
  return sum;
}
