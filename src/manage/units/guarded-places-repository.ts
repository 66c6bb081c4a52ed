/** Reads the codes that guards against SMS pumping counted, by country and prefix. */
import type { Knex } from 'knex';
import type { HourCount, PumpingGuard } from '../../accept/codes/rule.ts';

export interface CountedPlace {
  teamId: string;
  place: string;
  pumpingGuard: PumpingGuard;
  nowMs: number;
  /** Of the last 14 days, the oldest first. */
  counts: (HourCount & { over: number })[];
}

/** Those with codes beyond the limit, most of the last 24 hours first, and of as many the narrowest; `place`: that one, without any too. */
export async function findGuardedPlaces(
  knex: Knex,
  { team, place, limit }: { team: string | undefined; place: string | undefined; limit: number },
): Promise<CountedPlace[]> {
  const { rows } = await knex.raw<{ rows: CountedPlace[] }>(
    `with found as (
       select team_id, place, sum(over) filter (where hour > service_now() - interval '24 hours') as lately
       from code_counts
       where hour > service_now() - interval '14 days' and (over > 0 or place = :place)
         and (:place::text is null or place = :place) and (:team::text is null or team_id = :team)
       group by team_id, place
       order by lately desc nulls last, length(place) desc, team_id, place limit :limit::integer
     )
     select f.team_id as "teamId", f.place, t.pumping_guard as "pumpingGuard",
       extract(epoch from service_now())::float8 * 1000 as "nowMs",
       json_agg(json_build_object('hour', extract(epoch from c.hour) * 1000, 'sent', c.sent, 'confirmed', c.confirmed,
         'over', c.over, 'overConfirmed', c.over_confirmed) order by c.hour) as counts
     from found f join teams t on t.id = f.team_id join code_counts c using (team_id, place)
     where c.hour > service_now() - interval '14 days'
     group by f.team_id, f.place, f.lately, t.pumping_guard
     order by f.lately desc nulls last, length(f.place) desc, f.team_id, f.place`,
    { team: team ?? null, place: place ?? null, limit },
  );
  return rows;
}

/** In how many countries and prefixes codes went beyond the limit in this hour and the one before. */
export async function countPumpedPlaces(knex: Knex): Promise<number> {
  const { rows } = await knex.raw<{ rows: { places: number }[] }>(
    `select count(distinct (team_id, place))::integer as places from code_counts
     where over > 0 and hour > service_now() - interval '2 hours'`,
  );
  return rows[0]?.places ?? 0;
}
