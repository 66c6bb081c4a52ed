/** Finds the jobs of single messages that no worker has claimed, without reading the backlog that they wait in. */
import type { Knex } from 'knex';
import { type Priority, priorities } from '../model/plan.ts';
import { channelOfLane, type Group, laneOf, lanesText } from './job.ts';
import { jobReaders } from './job-documents.ts';

/** A queued message, and where its job is looked for. */
export interface WaitingMessage extends Group {
  id: string;
  requestId: string;
  teamId: string;
  priority: Priority;
  /** When it was queued for the first time, as PostgreSQL writes it. */
  queuedAt: string;
}

interface StoredJob {
  id: string;
  messages: number;
  data: unknown;
}

/** A job that was never claimed, and those of the messages that it stands for. */
export interface UnclaimedJob {
  id: string;
  messageIds: string[];
  /** It stands for no others. */
  whole: boolean;
}

/** Jobs of one team, lane and priority that are looked at. A message whose job is further behind counts as claimed. */
const mostJobs = 20_000;

/**
 * Locks jobs of these messages, all of one request, that were never claimed: until the transaction ends, nobody can claim
 * them. Waits for nobody: a job that somebody has locked is being claimed. A message may have left if its job was claimed
 * before or says that a network did not answer: it has no job here.
 */
export async function lockUnclaimed(
  trx: Knex.Transaction,
  messages: readonly WaitingMessage[],
): Promise<UnclaimedJob[]> {
  // A job has the time of its request, or is behind it because it was tried before.
  const found = jobsFor(messages, await lock(trx, messages, first));
  const covered = new Set(found.flatMap(({ messageIds }) => messageIds));
  const open = messages.filter(({ id }) => !covered.has(id));
  return open.length === 0 ? found : [...found, ...jobsFor(open, await lock(trx, open, later))];
}

const first = `between place.queued_at - interval '1 ms' and place.queued_at + interval '1 ms'`;
const later = `> place.queued_at + interval '1 ms'`;

async function lock(
  trx: Knex.Transaction,
  messages: readonly WaitingMessage[],
  due: string,
): Promise<StoredJob[]> {
  const [one] = messages;
  if (one === undefined) return [];
  // What was held, or lost its job, is queued as UTILITY.
  const places = messages.flatMap((message) =>
    [...new Set([message.priority, priorities.UTILITY])].map((priority) => ({
      channel: laneOf({ product: message.product, channel: message.channel }),
      priority,
      team_id: message.teamId,
      queued_at: message.queuedAt,
    })),
  );
  const { rows } = await trx.raw<{ rows: StoredJob[] }>(
    `with recursive place as (
       select distinct lane, priority, team_id, queued_at from json_to_recordset(:places::json)
         as p(channel text, priority smallint, team_id text, queued_at timestamptz)
       join lanes on ${channelOfLane('lane')} = channel
     ), ${lanesText}, found as materialized (
       select distinct job.id from place cross join lateral (
         select id, data from jobs
         where queue = 'deliver' and lane = place.lane and priority = place.priority and team_id = place.team_id
           and due_at ${due}
         order by due_at, id limit ${mostJobs}
       ) as job
       where job.data::text like :request
     )
     select id, messages, data from jobs
     where id = any(array(select id from found)) and claims = 0 and not claimed and data -> 'unanswered' is null
     order by id for update skip locked`,
    { places: JSON.stringify(places), request: `%${one.requestId}%` },
  );
  return rows;
}

function jobsFor(messages: readonly WaitingMessage[], jobs: readonly StoredJob[]): UnclaimedJob[] {
  return jobs.flatMap(({ id, messages: all, data }) => {
    const document = jobReaders.deliver(data);
    if (document === undefined) return [];
    const { requestIds, messageIds } = document;
    const own = messages.filter(
      (message) =>
        requestIds.includes(message.requestId) &&
        message.product === document.product &&
        message.channel === document.channel &&
        (messageIds?.includes(message.id) ?? true),
    );
    return [{ id, messageIds: own.map((message) => message.id), whole: own.length === all }];
  });
}

/** Deletes jobs that the transaction has locked. */
export async function deleteJobs(trx: Knex.Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await trx.raw('delete from jobs where id = any(?::bigint[])', [[...ids]]);
}
