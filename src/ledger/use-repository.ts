/** Notes hour by hour what is spent of each account, and finds the accounts that have less left than a day takes. */
import type { Knex } from 'knex';
import type { Account } from './repository.ts';

const thisHour = `date_trunc('hour', service_now())`;
const dayAgo = `service_now() - interval '25 hours'`;

/** Once an hour, however often it is called. */
export async function noteUse(knex: Knex): Promise<void> {
  await knex.raw(
    `insert into account_use (hour, account_id, spent)
     select ${thisHour}, id, granted - balance from accounts
     where not exists (select from account_use where hour = ${thisHour}) order by id
     on conflict do nothing`,
  );
  await knex.raw(`delete from account_use where hour < ${dayAgo} or hour > ${thisHour}`);
}

export interface UsedAccount extends Account {
  /** Units of the last 24 hours, refunds taken off. */
  usedInDay: number;
}

/** Those that last for the shortest time first. `teamId` undefined: of all teams. */
export async function listNearEmpty(
  knex: Knex,
  teamId: string | undefined,
  limit: number,
): Promise<UsedAccount[]> {
  const { rows } = await knex.raw<{ rows: UsedAccount[] }>(
    `select * from (
       select id, team_id as "teamId", product, variant, balance::float8 as balance,
         (granted - balance - coalesce(before.spent, 0))::float8 as "usedInDay"
       from accounts left join account_use before on before.account_id = id
         and before.hour = (select min(hour) from account_use where hour > ${dayAgo})
       where :teamId::text is null or team_id = :teamId
     ) as used
     where balance < "usedInDay" order by balance / "usedInDay", "teamId", product, variant limit :limit`,
    { teamId: teamId ?? null, limit },
  );
  return rows;
}
