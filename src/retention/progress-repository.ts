/** Walks through what each team has stored, in the order of time, and remembers how far each duty has come. */
import type { Knex } from 'knex';
import type { Duty } from './erase-repository.ts';

/** How many days a duty leaves things alone, at most: a team may have chosen fewer. */
export type Periods = Readonly<Record<Duty, number>>;

/** A team with something that is due. */
export interface DueTeam {
  teamId: string;
  days: number;
}

const daysColumn: Readonly<Record<Duty, string>> = {
  texts: 'text_days',
  receipts: 'receipt_days',
  numbers: 'number_days',
};

/** Of requests with up to 100 messages each, or of receipts. */
const batch: Readonly<Record<Duty, number>> = { texts: 20, receipts: 500, numbers: 20 };

/** What is due, with the message that it is about. Each reads along one index, however much is stored. */
const dueOf = (duty: Duty, limit: number) => {
  const due = `team_id = :teamId and created_at < service_now() - :days * interval '1 day'
    and (created_at, id) > (:at::timestamptz, :id::uuid)`;
  const next = `order by created_at, id limit ${limit}`;
  if (duty !== 'receipts') return `select created_at, id from requests where ${due} ${next}`;
  const states = ['Waiting', 'Delivered', 'Exhausted'].map(
    (state) =>
      `(select created_at, id, message_id from receipts where state = '${state}' and ${due} ${next})`,
  );
  return `select * from (${states.join(' union all ')}) as receipts ${next}`;
};

const messagesOf: Readonly<Record<Duty, string>> = {
  texts: 'select m.id from messages m join due on m.request_id = due.id',
  numbers: 'select m.id from messages m join due on m.request_id = due.id',
  // Those of messages of phones: see inbound-repository.ts.
  receipts: 'select message_id from due where message_id is not null',
};

const teamsAtOnce = 5;

/** Those that are furthest behind first, so that none waits for another's history; without those in `resting`. */
export async function findDueTeams(
  knex: Knex,
  duty: Duty,
  periods: Periods,
  resting: readonly string[],
): Promise<DueTeam[]> {
  const table = duty === 'receipts' ? 'receipts' : 'requests';
  // One look into an index for each team; for receipts one for each state. Ordered, and so not by `exists`: where
  // nothing is due, a planner that expects to meet something early would read the whole table.
  const first = (state: string) => `(
    select created_at from ${table} where team_id = t.id ${state}
      and created_at < service_now() - days * interval '1 day'
      and (created_at, id) > (coalesce(p.at, '-infinity'), coalesce(p.id, '00000000-0000-0000-0000-000000000000'))
    order by created_at, id limit 1) is not null`;
  const states =
    duty === 'receipts'
      ? ['Waiting', 'Delivered', 'Exhausted'].map((state) => first(`and state = '${state}'`))
      : [first('')];
  const { rows } = await knex.raw<{ rows: DueTeam[] }>(
    `select t.id as "teamId", days from teams t
       cross join lateral (select least(:days::integer, t.${daysColumn[duty]}) as days) as chosen
       left join retention_progress p on p.team_id = t.id and p.duty = :duty
     where t.id <> all(:resting::text[]) and (${states.join(' or ')})
     order by p.at nulls first, t.id limit ${teamsAtOnce}`,
    { duty, days: periods[duty], resting: [...resting] },
  );
  return rows;
}

/** The messages of the team's next batch, of at most `most` requests or receipts. Undefined: another process has the team, or nothing is due any more. */
export async function takeBatch(
  trx: Knex.Transaction,
  duty: Duty,
  { teamId, days }: DueTeam,
  most: number,
): Promise<string[] | undefined> {
  await trx('retention_progress').insert({ team_id: teamId, duty }).onConflict(['team_id', 'duty']).ignore();
  const { rows: places } = await trx.raw<{ rows: { at: string; id: string }[] }>(
    `select at::text, id from retention_progress where team_id = ? and duty = ? for update skip locked`,
    [teamId, duty],
  );
  const [place] = places;
  if (place === undefined) return undefined;
  const { rows } = await trx.raw<{ rows: { moved: boolean; ids: string[] }[] }>(
    `with due as materialized (${dueOf(duty, Math.min(batch[duty], most))}
     ), moved as (
       update retention_progress set at = last.created_at, id = last.id
       from (select created_at, id from due order by created_at desc, id desc limit 1) as last
       where team_id = :teamId and duty = :duty
       returning 1
     )
     select exists (select from moved) as moved, array(${messagesOf[duty]})::text[] as ids`,
    { teamId, days, duty, at: place.at, id: place.id },
  );
  const [found] = rows;
  return found?.moved ? found.ids : undefined;
}
