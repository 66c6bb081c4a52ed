/** Finds messages in progress that nothing will work on: no job, no bundle and no item in quarantine accounts for them. */
import type { Knex } from 'knex';
import type { Product } from '../../model/plan.ts';
import { products } from '../../model/products.ts';
import { listOf, stateOfFound, statesThat } from '../../model/states.ts';
import { runStatement } from '../../platform/db/statement.ts';
import { secondsLeft } from '../../queue/clock-set-back.ts';
import type { JobMessage } from '../../queue/fold-jobs.ts';
import { channelOfLane, lanesText } from '../../queue/job.ts';
import { joinedService } from '../repository.ts';

/** A message in progress that nothing accounts for. */
export interface Orphan {
  id: string;
  product: Product;
  state: 'Held' | 'Queued' | 'Sending';
  requestId: string;
  position: number;
  /** Of a held SMS: the final state of its bundle; null: there is no bundle. */
  bundle: string | null;
}

export interface Search {
  orphans: Orphan[];
  /** The last message that was looked at, if there may be more behind it. */
  next: string | undefined;
}

/** Of what waits: its cost is bounded however much that is. */
const messagesPerSearch = 10_000;
/** Where more wait, jobs are not read: the messages wait for their turn anyway, and are looked at once there are fewer. */
const mostJobsPerChannel = 20_000;

/**
 * Looks at messages with an id above `after` and up to `until` that are with us. A message and what accounts for it
 * change in one transaction, so that one statement sees both or neither, and nothing is taken for an orphan that is not.
 */
export async function findOrphans(knex: Knex, after: string, until: string): Promise<Search> {
  const [row] = await runStatement<{ orphans: Orphan[] | null; seen: number; last: string | null }>(knex, {
    text: searchText,
    values: [after, until, products.data.steps],
  });
  const { orphans = null, seen = 0, last = null } = row ?? {};
  return { orphans: orphans ?? [], next: seen === messagesPerSearch && last !== null ? last : undefined };
}

/** All there are now. */
export async function listOrphans(knex: Knex): Promise<Orphan[]> {
  const until = await newestMessageId(knex);
  const found: Orphan[] = [];
  let after: string | undefined = until === undefined ? undefined : '0';
  while (after !== undefined && until !== undefined) {
    const { orphans, next }: Search = await findOrphans(knex, after, until);
    found.push(...orphans);
    after = next;
  }
  return found;
}

const searchText = `
  with recursive ${lanesText}, waiting as materialized (
    select id, request_id, position, product, product || ' ' || channel as channel, state from messages m
    where with_us and id > $1 and id <= $2
      and not exists (select from quarantine where message_id = m.id)
    order by id limit ${messagesPerSearch}
  ), channels as materialized (
    select channel, lanes from (
      select channel, array(select lane from lanes where ${channelOfLane('lane')} = channel) as lanes
      from (select distinct channel from waiting where state <> 'Held') as with_messages
    ) as open
    where (select count(*) from (
      select from jobs where queue = 'deliver' and lane = any(open.lanes) limit ${mostJobsPerChannel + 1}
    ) as first) <= ${mostJobsPerChannel}
  ), named as materialized (
    select channel, lower(request.id) as request_id, data -> 'messageIds' as message_ids
    from channels join jobs on lane = any(lanes) cross join lateral json_array_elements_text(
      -- One that cannot be read is about to leave the queue.
      case json_typeof(data -> 'requestIds') when 'array' then data -> 'requestIds' else '[]' end
    ) as request(id)
    where queue = 'deliver'
  ), orphan as (
    select w.id, w.product, w.state, w.request_id, w.position, null as bundle from waiting w join channels using (channel)
    where state <> 'Held' and not exists (
      select from named n where n.channel = w.channel and n.request_id = w.request_id::text
        and (json_typeof(n.message_ids) is distinct from 'array' or n.message_ids::jsonb ? w.id::text)
    )
    union all
    select w.id, w.product, w.state, w.request_id, w.position, bundle.state from waiting w left join lateral (
      select state from messages b
      where b.request_id = w.request_id and b.position = w.position and b.product = 'data'
    ) as bundle on true
    where w.state = 'Held' and (bundle.state is null or bundle.state <> all($3::text[]))
  )
  select (select count(*) from waiting)::integer as seen, (select max(id) from waiting)::text as last,
    (select json_agg(json_build_object('id', id::text, 'product', product, 'state', state, 'requestId', request_id,
       'position', position, 'bundle', bundle) order by id) from orphan) as orphans`;

/** The id of the newest message; undefined: there is none. */
export async function newestMessageId(knex: Knex): Promise<string | undefined> {
  const { rows } = await knex.raw<{ rows: { id: string | null }[] }>('select max(id) as id from messages');
  return rows[0]?.id ?? undefined;
}

/** Any number that nothing else in this database takes as an advisory lock. */
const orphansLock = 7_411_003;

/** False: another process gives orphans their jobs now; two jobs for one message would send it twice. */
export async function lockOrphans(trx: Knex.Transaction): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: { locked: boolean }[] }>(
    'select pg_try_advisory_xact_lock(?) as locked',
    [orphansLock],
  );
  return rows[0]?.locked ?? false;
}

/** Locks those that still wait to be submitted, and reads what their jobs need but the priority. */
export async function lockUnsubmitted(
  trx: Knex.Transaction,
  ids: readonly string[],
  validitySeconds: number,
): Promise<Omit<JobMessage, 'priority'>[]> {
  const { rows } = await trx.raw<{
    rows: (Omit<JobMessage, 'priority'> & { validSeconds: number | null })[];
  }>(
    `select m.id, m.request_id as "requestId", m.product, m.channel, r.team_id as "teamId",
       -- The outcome of an interrupted submission is queried, however old it is.
       case when m.state = 'Queued' then greatest(0, ${secondsLeft(':validitySeconds')}) end as "validSeconds"
     from messages m join requests r on r.id = m.request_id ${joinedService}
     where m.id = any(:ids::bigint[]) and ${stateOfFound('m')} in ${listOf(statesThat('queued'))}
     order by m.id for update of m`,
    { ids: [...ids], validitySeconds },
  );
  return rows.map(({ validSeconds, ...message }) => ({
    ...message,
    validSeconds: validSeconds ?? undefined,
  }));
}
