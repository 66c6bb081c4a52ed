/**
 * The queue of background jobs: one table, filled in the caller's transaction and claimed with leases. It is our own
 * because jobs are inserted by the accepting statement, wait for their connector without hiding others, are claimed by
 * priority and team, and follow the service's clock. pg-boss could do the first two only with a fake connection and
 * writes to its private table; it adds, claims and completes a job in about half the time, but a job has up to 100 messages.
 */
import type { Knex } from 'knex';
import type { Database } from '../platform/db/knex.ts';
import { runStatement } from '../platform/db/statement.ts';
import { claimByTime } from './claim-by-time.ts';
import { type Claim, claimDeliveries, type OpenLane } from './claim-deliveries.ts';
import { type Insertion, insertion } from './insert.ts';
import { type ClaimedJob, type JobOf, type Lease, leaseRows, leaseSeconds, type QueueName } from './job.ts';

export interface Queue {
  /** Adds jobs in the caller's transaction; they are due `delaySeconds` after it began. */
  insert: <Name extends QueueName>(
    trx: Knex.Transaction,
    name: Name,
    jobs: readonly JobOf[Name][],
    delaySeconds?: number,
  ) => Promise<void>;
  /** Claims up to `limit` due jobs; nobody else gets them until their lease is over. Their content is not checked. */
  claim: (name: Exclude<QueueName, 'deliver'>, limit: number) => Promise<ClaimedJob<unknown>[]>;
  claimDeliveries: (open: readonly OpenLane[]) => Promise<Claim>;
  /** Completes claimed jobs in the caller's transaction. Rejects when the lease of one was over. */
  complete: (trx: Knex.Transaction, jobs: readonly Lease[]) => Promise<void>;
  /** Replaces claimed jobs by others, which are claimed too; returns the leases of each of `parts`. */
  divide: <Name extends QueueName>(
    name: Name,
    jobs: readonly Lease[],
    parts: readonly (readonly JobOf[Name][])[],
  ) => Promise<Lease[][]>;
  /** Returns claimed jobs for a later try; those that another worker has by now stay with it. */
  release: (jobs: readonly Lease[]) => Promise<void>;
}

/** The statement that adds delivery jobs, as a part of another one with `$1` as the job's parameter. */
export function deliveryInsertion(jobs: readonly JobOf['deliver'][]): Insertion {
  return insertion('deliver', jobs, '$1');
}

export function createQueue(knex: Knex): Queue {
  const complete: Queue['complete'] = async (trx, jobs) => {
    const completed = await runStatement(trx, {
      text: `delete from jobs using ${leases('$1')}
        where jobs.id = lease.id and jobs.claims = lease.claims and claimed returning 1`,
      values: [JSON.stringify(leaseRows(jobs))],
    });
    if (completed.length !== jobs.length) throw new Error('a lease was over before its job was done');
  };
  return {
    insert: async (trx, name, jobs, delaySeconds) => {
      if (jobs.length === 0) return;
      const { text, value } = insertion(name, jobs, '?', delaySeconds);
      await trx.raw(text, [value]);
    },
    claim: (name, limit) => claimByTime(knex, name, limit),
    claimDeliveries: (open) => claimDeliveries(knex, open),
    complete,
    divide: (name, jobs, parts) =>
      knex.transaction(async (trx) => {
        await complete(trx, jobs);
        const divided: Lease[][] = [];
        for (const part of parts) divided.push(await insertClaimed(trx, name, part));
        return divided;
      }),
    release: async (jobs) => {
      await knex.raw(
        `update jobs set claimed = false, written_at = service_now(),
           due_at = service_now() + least(60, power(2, least(jobs.claims, 6) - 1)) * interval '1 second'
         from ${leases('?')} where jobs.id = lease.id and jobs.claims = lease.claims and claimed`,
        [JSON.stringify(leaseRows(jobs))],
      );
    },
  };
}

async function insertClaimed<Name extends QueueName>(
  trx: Knex.Transaction,
  name: Name,
  jobs: readonly JobOf[Name][],
): Promise<Lease[]> {
  const { text, value } = insertion(name, jobs, '?');
  const { rows: added } = await trx.raw<{ rows: { id: string }[] }>(`${text} returning id`, [value]);
  const { rows } = await trx.raw<{ rows: Lease[] }>(
    `update jobs set due_at = service_now() + ${leaseSeconds} * interval '1 second', claims = 1, claimed = true
     where id = any(?::bigint[]) returning id, claims`,
    [added.map(({ id }) => id)],
  );
  return rows;
}

const leases = (placeholder: string) =>
  `json_to_recordset(${placeholder}::json) as lease(id bigint, claims integer)`;

/**
 * The embedded database serves one process: jobs that are claimed when it starts are those of a process that was
 * killed. Their leases end now.
 */
export async function endLeases({ knex, embedded }: Pick<Database, 'knex' | 'embedded'>): Promise<void> {
  if (embedded) await knex.raw('update jobs set claimed = false, due_at = service_now() where claimed');
}
