/** Processes delivery jobs: submits their messages and records the outcomes. */
import type { Knex } from 'knex';
import type { Product } from '../model/plan.ts';
import { products } from '../model/products.ts';
import { isSentOnce, type ReachedState, type StateChange } from '../model/states.ts';
import { ItemFault } from '../platform/isolation/fault.ts';
import { type Round, recordLot } from '../platform/isolation/record.ts';
import { segmentsOf } from '../platform/text/segments.ts';
import { type JobMessage, jobsOf } from '../queue/fold-jobs.ts';
import type { ClaimedJob, DeliveryJob, Lease } from '../queue/job.ts';
import type { Queue } from '../queue/queue.ts';
import { type Consequences, recordChanges } from '../receipts/record.ts';
import { announce, type Listeners } from './announce.ts';
import { append, type HandOverDependencies, handOver, type Result } from './hand-over.ts';
import { leaseOf } from './lease.ts';
import { insertPolls } from './poll.ts';
import type { Part } from './reports/match-repository.ts';
import { insertParts, lookAgainAt, storeParts } from './reports/part-repository.ts';
import {
  loadQueuedMessages,
  lockMessages,
  markQueued,
  markScheduled,
  markSubmitted,
  type QueuedMessage,
} from './repository.ts';
import { traceClaims } from './traces.ts';

export interface DeliveryDependencies extends HandOverDependencies, Listeners {
  queue: Queue;
  consequences: Consequences;
}

/** The result of a hand-over, with what is needed to record it. */
export interface Settled extends Pick<Result, 'outcome' | 'connector'> {
  message: JobMessage & Pick<QueuedMessage, 'content'>;
}

export interface Lot {
  /** Messages for each connector; the others go back to the queue. */
  most: number;
  /** Called with how many messages were submitted in how many milliseconds. */
  learn: (messages: number, tookMs: number) => void;
}

const unlimited: Lot = { most: Number.POSITIVE_INFINITY, learn: () => {} };

/** The text of a message stays where it is stored. */
export type StoredSettled = Pick<Settled, 'outcome' | 'connector'> & { messageId: string };

const handOvers: Round<Settled> = {
  describe: ({ message: { id }, outcome, connector }) => ({
    round: 'hand-over',
    item: id,
    messageId: id,
    payload: {
      messageId: id,
      outcome,
      ...(connector === undefined ? {} : { connector }),
    } satisfies StoredSettled,
  }),
  leave: async (trx, { message, outcome, connector }) => {
    if (outcome.kind === 'accepted') await markSubmitted(trx, message.id, connector);
  },
};

/** Submits the messages of claimed jobs, and completes the jobs. If that fails, they are retried. */
export async function deliverJobs(
  dependencies: DeliveryDependencies,
  jobs: readonly ClaimedJob<DeliveryJob>[],
  { most, learn }: Lot = unlimited,
): Promise<void> {
  const { knex, queue, events } = dependencies;
  try {
    const messages = await loadQueuedMessages(
      knex,
      jobs.map((job) => job.data),
      dependencies.validitySeconds,
    );
    traceClaims(messages, jobs);
    const startedMs = performance.now();
    const results = await handOver(dependencies, messages, { most, lease: leaseOf(jobs) });
    learn(results.filter(({ connector }) => connector !== undefined).length, performance.now() - startedMs);
    await recordLot<Settled, ReachedState, readonly Lease[]>(knex, events, {
      round: handOvers,
      items: results,
      leases: jobs,
      complete: queue.complete,
      record: (trx, some) => settle(trx, dependencies, some),
      divide: (leases, parts) =>
        queue.divide(
          'deliver',
          leases,
          parts.map((part) => jobsOf(part.map(({ message }) => ({ ...message, unknown: undefined })))),
        ),
      release: queue.release,
      onRecorded: (reached) => announce(reached, dependencies),
    });
  } catch (error) {
    await queue.release(jobs);
    throw error;
  }
}

/** States and later tries, together. Rejects when our own code could not handle one of the messages. */
export async function settle(
  trx: Knex.Transaction,
  { queue, consequences }: DeliveryDependencies,
  results: readonly Settled[],
): Promise<ReachedState[]> {
  for (const { outcome } of results) if (outcome.kind === 'faulty') throw new ItemFault(outcome.reason);
  await insertParts(trx, results.flatMap(partsOf));
  await storeUnstored(trx, results);
  await lookAgainAt(trx, results.flatMap(nameOf));
  await takeBack(trx, results);
  await schedule(trx, results);
  for (const [delaySeconds, messages] of postponed(results))
    await queue.insert(trx, 'deliver', jobsOf(messages), delaySeconds);
  await queue.insert(trx, 'deliver', jobsOf(results.filter(waits).map(({ message }) => message)));
  await insertPolls(
    trx,
    queue,
    results.filter(isAwaited).map(({ message }) => message.id),
  );
  return recordChanges(trx, results.flatMap(changesOf), consequences);
}

/** The parts that left of messages that are tried again: they are not sent a second time. */
async function storeUnstored(trx: Knex.Transaction, results: readonly Settled[]): Promise<void> {
  for (const { outcome, connector } of results)
    if (outcome.kind === 'later' && outcome.sent !== undefined && connector !== undefined)
      await storeParts(trx, connector, outcome.sent);
}

/** Messages that were marked as on their way, and that their network did not accept, are queued again. */
async function takeBack(trx: Knex.Transaction, results: readonly Settled[]): Promise<void> {
  const refused = results.filter(
    ({ message, outcome }) => isSentOnce(message.product) && outcome.kind === 'later',
  );
  if (refused.length === 0) return;
  await lockMessages(
    trx,
    results.map(({ message }) => message.id),
  );
  await markQueued(
    trx,
    refused.map(({ message }) => message.id),
  );
}

/** Messages whose window is closed are scheduled for when it opens, or for their end if that comes first. */
async function schedule(trx: Knex.Transaction, results: readonly Settled[]): Promise<void> {
  const quiet = results.flatMap(({ message: { id, validSeconds }, outcome }) =>
    outcome.kind === 'quiet' ? [{ id, until: outcome.until, validSeconds }] : [],
  );
  if (quiet.length === 0) return;
  await lockMessages(
    trx,
    results.map(({ message }) => message.id),
  );
  await markScheduled(trx, quiet);
}

/** Its network has accepted it, not reported on it, and is queried about it. */
function isAwaited({ message, outcome }: Settled): boolean {
  return products[message.product].queried && outcome.kind === 'accepted' && outcome.reports === undefined;
}

/** The message is with the network; SMS also say in how many segments it went. */
const submission: { [P in Product]: (content: string) => Partial<StateChange> } = {
  sms: (text) => ({ segments: segmentsOf(text).segments }),
  data: () => ({}),
  chatapp: () => ({}),
};

function changesOf({ message, outcome, connector }: Settled): StateChange[] {
  const { id: messageId, product, content } = message;
  if (outcome.kind === 'rejected') {
    const { state, reason, reasonCode } = outcome;
    return [{ messageId, product, state, connector, reason, reasonCode, refund: true, accepted: false }];
  }
  if (outcome.kind !== 'accepted') return [];
  const { partIds, networkId = partIds?.[0], reports = [], segments } = outcome;
  if (outcome.stored) return [];
  return (reports.length === 0 ? (['Submitted'] as const) : reports).map((state) => ({
    messageId,
    product,
    state,
    connector,
    networkId,
    refund: false,
    ...submission[product](content),
    ...(segments === undefined ? {} : { segments }),
  }));
}

/** The network's id of a message sent in one part. */
function nameOf({ outcome, connector }: Settled): { connector: string; networkId: string }[] {
  if (outcome.kind !== 'accepted' || outcome.stored || connector === undefined) return [];
  return outcome.networkId === undefined ? [] : [{ connector, networkId: outcome.networkId }];
}

/** The network's ids of the parts of a message. */
function partsOf({ message, outcome, connector }: Settled): Part[] {
  if (outcome.kind !== 'accepted' || outcome.reports !== undefined || connector === undefined) return [];
  // A network that gives all parts one id reports on them as one.
  const ids = [...new Set(outcome.partIds)];
  return ids.map((id) => ({
    connector,
    networkId: id,
    messageId: message.id,
    parts: ids.length,
    state: null,
  }));
}

/** The messages that stay queued, by the time of their next attempt: behind those that wait then. */
function postponed(results: readonly Settled[]): Map<number, JobMessage[]> {
  const byDelay = new Map<number, JobMessage[]>();
  for (const { message, outcome } of results)
    if (outcome.kind === 'later' || outcome.kind === 'unclear')
      append(byDelay, outcome.delaySeconds, {
        ...message,
        placeMs: undefined,
        unknown: outcome.kind === 'unclear' && outcome.unknown,
        unanswered: message.unanswered || (outcome.kind === 'later' && outcome.unanswered),
      });
  return byDelay;
}

/** No connector could take it: it keeps its place in the queue. */
function waits({ outcome }: Settled): boolean {
  return outcome.kind === 'waits';
}
