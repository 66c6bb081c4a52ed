/** Counts in the windows that all processes of a deployment share, and reads the rates that operators set. */
import type { Knex } from 'knex';
import { createBatcher } from '../../platform/concurrency/group-commit.ts';
import { runStatement } from '../../platform/db/statement.ts';
import type { OwnLimit } from './own-limits.ts';

export interface Counted {
  /** 0 when the messages were counted in, else the milliseconds to wait. */
  waitMs: number;
  /** Where they were counted, for `takeBack`. */
  bucket: string;
}

export interface SharedWindows {
  countIn: (key: string, messages: number, limit: number) => Promise<Counted>;
  takeBack: (key: string, messages: number, bucket: string) => Promise<void>;
}

/** Rates that operators set, per second; null: none. */
export interface OwnRates {
  /** Instead of the service's. */
  team: number | null;
  /** Of the team by operation, instead of both. */
  operations: Readonly<Record<string, number>>;
  /** Within the team's. */
  client: number | null;
}

interface Call {
  key: string;
  messages: number;
  limit: number;
}

/** Concurrent calls share one statement, and those of one key one lock and one write. */
export function createSharedWindows(knex: Knex): SharedWindows {
  const batcher = createBatcher<Call, Counted>(
    (calls) => countAll(knex, calls),
    () => 1,
    {
      concurrency: 2,
      maxItems: 500,
      maxWeight: 500,
      gatherMs: 3,
    },
  );
  return {
    countIn: (key, messages, limit) => batcher.submit({ key, messages, limit }),
    takeBack: async (key, messages, bucket) => {
      await knex.raw('select rate_take_back(?, ?, ?)', [key, messages, bucket]);
    },
  };
}

/** Keys are locked in order, so that processes do not deadlock. */
async function countAll(knex: Knex, calls: readonly Call[]): Promise<Counted[]> {
  const byKey = [...Map.groupBy(calls, ({ key }) => key)];
  const rows = await runStatement<{ key: string; waitMs: number[]; bucket: string }>(knex, {
    name: 'count calls',
    text: `select call.key, counted.wait_ms as "waitMs", counted.bucket
     from (
       select * from json_to_recordset($1::json) as c(key text, messages integer[], limits integer[]) order by key
     ) as call, lateral rate_count_in(call.key, call.messages, call.limits) as counted`,
    values: [
      JSON.stringify(
        byKey.map(([key, own]) => ({
          key,
          messages: own.map(({ messages }) => messages),
          limits: own.map(({ limit }) => limit),
        })),
      ),
    ],
  });
  const counted = new Map(rows.map(({ key, waitMs, bucket }) => [key, { waits: waitMs.values(), bucket }]));
  return calls.map(({ key }) => {
    const own = counted.get(key);
    const waitMs = own?.waits.next().value;
    if (own === undefined || waitMs === undefined) throw new Error('a call was not counted');
    return { waitMs, bucket: own.bucket };
  });
}

/** Of a team and its client; none that limits nothing. */
export async function loadOwnLimits(knex: Knex, teamId: string, clientId: string): Promise<OwnLimit[]> {
  const { rows } = await knex.raw<{ rows: OwnLimit[] }>(
    `select * from (
       select 'team' as holder, id, caps, destinations, pumping_guard as guard from teams where id = ?
       union all select 'client', id, caps, destinations, 'Off' from clients where id = ?
     ) as own where caps <> '{}' or destinations <> '{}' or guard <> 'Off'`,
    [teamId, clientId],
  );
  return rows;
}

/** Of a team and its client. */
export async function loadRates(knex: Knex, teamId: string, clientId: string): Promise<OwnRates> {
  const { rows } = await knex.raw<{ rows: OwnRates[] }>(
    `select team.rate_per_second as team, coalesce(team.operation_rates, '{}') as operations, client.rate_per_second as client
     from (values (?, ?)) as named (team_id, client_id)
     left join teams team on team.id = team_id left join clients client on client.id = client_id`,
    [teamId, clientId],
  );
  return rows[0] ?? { team: null, operations: {}, client: null };
}
