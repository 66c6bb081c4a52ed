/** Reads which teams and clients are near a cap of theirs, or have reached it. */
import type { Knex } from 'knex';

export interface CapUse {
  holder: 'team' | 'client';
  id: string;
  teamId: string;
  period: 'day' | 'month';
  used: number;
  cap: number;
  resetsAt: Date;
}

/** Of a cap. */
const nearShare = 0.8;

/** With the largest share first. `team`: of its own and its clients' only. */
export async function listNearCaps(
  knex: Knex,
  team: string | undefined,
  limit: number | null,
): Promise<CapUse[]> {
  const { rows } = await knex.raw<{ rows: CapUse[] }>(
    `select holder, id, "teamId", period, used::float8 as used, cap::float8 as cap,
       (began + ('1 ' || period)::interval) at time zone 'UTC' as "resetsAt"
     from cap_uses u join lateral (
       select id as "teamId", (caps ->> u.period)::bigint as cap from teams where u.holder = 'team' and id = u.id
       union all select team_id, (caps ->> u.period)::bigint from clients where u.holder = 'client' and id = u.id
     ) as own on true
     where began = date_trunc(period, service_now() at time zone 'UTC')::date and used >= cap * ${nearShare}
       and (:team::text is null or "teamId" = :team)
     order by used / cap::float8 desc, holder, id, period limit :limit::integer`,
    { team: team ?? null, limit },
  );
  return rows;
}
