/** The delivery queue: pg-boss in our own database, with jobs made in the caller's transaction. */
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { fromKnex, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { AnnouncedReport } from '../connectors/contract/connector.ts';
import type { Database } from '../db/knex.ts';
import type { Product } from '../intake/plan.ts';
import { reasonOf } from '../isolation/fault.ts';

/** Whose messages are handed over together, and wait for one another. */
export interface Group {
  product: Product;
  channel: string;
}

/**
 * Messages of one group, as far as they still wait to be handed over. No two jobs ever hold the same message: what
 * a request begins with is named by the request, what comes later by its own id.
 */
export interface DeliveryJob extends Group {
  requestIds: readonly string[];
  /** Of the requests' messages only these; absent or null: all. */
  messageIds?: readonly string[] | null;
}

/** By what jobs are told apart when they are taken. */
export function groupOf({ product, channel }: Group): string {
  return `${product} ${channel}`;
}

/** Messages of one job, unless a single request has more. */
const messagesPerJob = 100;

/** One request's messages of one group. */
export interface RequestShare extends Group {
  requestId: string;
  messages: number;
}

/** Puts the shares of many requests into few jobs: a job costs the database more than a message does. */
export function foldJobs(shares: Iterable<RequestShare>): DeliveryJob[] {
  const jobs: DeliveryJob[] = [];
  const open = new Map<string, { requestIds: string[]; messages: number }>();
  for (const { requestId, product, channel, messages } of shares) {
    const name = groupOf({ product, channel });
    const job = open.get(name);
    if (job !== undefined && job.messages + messages <= messagesPerJob) {
      job.requestIds.push(requestId);
      job.messages += messages;
      continue;
    }
    const fresh = { requestIds: [requestId], messages };
    open.set(name, fresh);
    jobs.push({ requestIds: fresh.requestIds, product, channel });
  }
  return jobs;
}

/** A message with what its job is told apart by. */
export interface JobMessage extends Group {
  id: string;
  requestId: string;
}

/** Jobs for single messages that are released, or tried again later. */
export function jobsOf(messages: readonly JobMessage[]): DeliveryJob[] {
  const jobs: DeliveryJob[] = [];
  for (const own of Map.groupBy(messages, groupOf).values())
    for (let from = 0; from < own.length; from += messagesPerJob) {
      const some = own.slice(from, from + messagesPerJob);
      const [first] = some;
      if (first === undefined) continue;
      const { product, channel } = first;
      const requestIds = [...new Set(some.map(({ requestId }) => requestId))];
      jobs.push({ requestIds, product, channel, messageIds: some.map(({ id }) => id) });
    }
  return jobs;
}

/**
 * A report that a connector announced with the hand-over. Those that it announced for later times become jobs one
 * by one, each when the one before it is recorded: not even a killed worker changes their order.
 */
export interface ReportJob {
  messageId: string;
  product: Product;
  report: AnnouncedReport;
  later: readonly AnnouncedReport[];
}

/** Bundles whose network is asked what became of them, should it not tell by itself. */
export interface PollJob {
  messageIds: readonly string[];
  /** How often it was asked before. */
  polls: number;
}

export interface TakenJob<Data> extends Lease {
  data: Data;
}

/** A claimed job. After its lease expires another worker may claim it; `retryCount` tells the claims apart. */
export interface Lease {
  id: string;
  /** pg-boss counts it with every taking. */
  retryCount: number;
}

export type QueueName = 'deliver' | 'report' | 'poll';
type DataOf = { deliver: DeliveryJob; report: ReportJob; poll: PollJob };

export interface Queue {
  /** Adds jobs in the caller's transaction; they become visible `delaySeconds` after its commit. */
  insert: <Name extends QueueName>(
    trx: Knex.Transaction,
    name: Name,
    jobs: readonly DataOf[Name][],
    delaySeconds?: number,
  ) => Promise<void>;
  /** The statement `insert` would run, for use as a part of another one; `$1` is its only parameter. */
  insertion: <Name extends QueueName>(
    name: Name,
    jobs: readonly DataOf[Name][],
  ) => Promise<{ text: string; value: unknown }>;
  /**
   * Takes up to `limit` due jobs of other groups than these; nobody else gets them until their lease of
   * `leaseSeconds` is over.
   */
  take: <Name extends QueueName>(
    name: Name,
    limit: number,
    exceptGroups?: readonly string[],
  ) => Promise<TakenJob<DataOf[Name]>[]>;
  /** Completes taken jobs in the caller's transaction. Rejects when the lease of one was over. */
  complete: (trx: Knex.Transaction, name: QueueName, jobs: readonly Lease[]) => Promise<void>;
  /** Gives taken jobs back for a later try, with the error that asks for it; those of others are left to them. */
  release: (name: QueueName, jobs: readonly Lease[], error: unknown) => Promise<void>;
  stop: () => Promise<void>;
}

/** Longer than any connector may take for one batch. */
export const leaseSeconds = 60;

const queueNames: readonly QueueName[] = ['deliver', 'report', 'poll'];

/** pg-boss hands these on to node-postgres: else a server that says nothing would hold its connections for ever. */
const silence = { keepAlive: true, query_timeout: 30_000 };

/** Starts pg-boss on the database. `supervise`: this process also returns expired jobs and prunes old ones. */
export async function startQueue(database: Database, logger: Logger, supervise: boolean): Promise<Queue> {
  const boss = new PgBoss({
    ...(database.url === undefined
      ? { db: fromKnex(database.knex), backend: 'pglite' as const }
      : { connectionString: database.url, application_name: 'tarishi-queue', max: 4, ...silence }),
    schedule: false,
    supervise,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    maintenanceIntervalSeconds: 60,
  });
  boss.on('error', (error) => logger.error({ err: error, component: 'queue' }, 'queue error'));
  await boss.start().catch(async (error: unknown) => {
    await boss.stop({ graceful: false }).catch(() => {});
    throw error;
  });
  for (const name of queueNames) {
    await boss.createQueue(name, {
      // A table of its own, with the indexes it needs: every insert into the shared one serves all of pg-boss's.
      partition: true,
      retryLimit: 1_000_000,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 60,
      expireInSeconds: leaseSeconds,
      deleteAfterSeconds: 300,
      retentionSeconds: 14 * 24 * 3600,
    });
    // Fills pg-boss's cache of queues: a miss inside a transaction would wait for the one connection we hold.
    await boss.getJobById(name, '00000000-0000-4000-8000-000000000000');
  }
  if (database.embedded) await endLeases(database.knex);
  // A process that never lives until the first interval returns expired jobs too.
  if (supervise) for (const name of queueNames) await boss.supervise(name);
  return {
    insert: async (trx, name, jobs, delaySeconds = 0) => {
      if (jobs.length === 0) return;
      await boss.insert(
        name,
        jobs.map((data) => ({
          ...jobWith(name, data),
          ...(delaySeconds > 0 ? { startAfter: delaySeconds } : {}),
        })),
        { db: fromKnex(trx), returnId: false },
      );
    },
    insertion: async (name, jobs) => {
      let statement: { text: string; value: unknown } | undefined;
      const db = {
        executeSql: async (text: string, values: unknown[] = []) => {
          statement = { text, value: values[0] };
          return { rows: [] };
        },
      };
      await boss.insert(
        name,
        jobs.map((data) => jobWith(name, data)),
        { db, returnId: false },
      );
      if (statement === undefined) throw new Error('pg-boss ran no statement');
      return statement;
    },
    take: async (name, limit, exceptGroups = []) =>
      (
        await boss.fetch<DataOf[typeof name]>(name, { batchSize: limit, ignoreGroups: [...exceptGroups] })
      ).map(({ id, retryCount, data }) => ({ id, retryCount, data })),
    complete: async (trx, name, jobs) => {
      // Its types leave out what it answers.
      const done = (await boss.complete(name, [...jobs], null, { db: fromKnex(trx) })) as {
        affected: number;
      };
      if (done.affected !== jobs.length) throw new Error('a lease was over before its job was done');
    },
    release: async (name, jobs, error) => {
      // Messages of databases quote values, which may be the very ones that cannot be stored.
      await boss.fail(name, [...jobs], { reason: reasonOf(error) });
    },
    stop: () => boss.stop({ graceful: false }),
  };
}

/** With an id of its own: PGlite opens the system's random numbers anew for each one that it makes. */
function jobWith<Name extends QueueName>(name: Name, data: DataOf[Name]) {
  const job = { id: randomUUID(), data };
  return name === 'deliver' ? { ...job, group: { id: groupOf(data as DeliveryJob) } } : job;
}

/**
 * The embedded database has this process only: jobs that are under way at its start are those of a process that
 * was killed. Their leases end now.
 */
async function endLeases(knex: Knex): Promise<void> {
  await knex.raw(`update pgboss.job set started_on = 'epoch' where state = 'active'`);
}
