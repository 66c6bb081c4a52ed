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
import type { Through, WaysOf } from './choice.ts';
import { append, type HandOverDependencies, handOver, type Result } from './hand-over.ts';
import { type Hop, noteHops } from './hop-repository.ts';
import { leaseOf } from './lease.ts';
import { movedOn } from './move-on.ts';
import { insertPolls } from './poll.ts';
import type { Part } from './reports/match-repository.ts';
import { insertParts, lookAgainAt, ownersOfParts, storeParts } from './reports/part-repository.ts';
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
  waysOf: WaysOf;
  /** What a message may go through, by the routes of its channel as they are now; undefined: it has none. */
  wayFor: (message: QueuedMessage) => Promise<string | undefined>;
  consequences: Consequences;
}

/** The result of a hand-over, with what is needed to record it. */
export interface Settled extends Pick<Result, 'outcome' | 'connector'> {
  message: JobMessage & Pick<QueuedMessage, 'content'>;
}

export interface Lot {
  /** Undefined: no connector takes them. */
  through: Through | undefined;
  /** Messages for each connector; the others go back to the queue. */
  most: number;
  /** Called with how many messages were handed over in how many milliseconds, and whether none of them was taken or refused. */
  learn: (lot: { messages: number; tookNone: boolean; tookMs: number }) => void;
}

/** What connectors need of a lease for the last of a lot. */
const exchangesMs = 20_000;

export const noConnector: Lot = { through: undefined, most: 0, learn: () => {} };

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
  { through, most, learn }: Lot,
): Promise<void> {
  const { knex, queue, events } = dependencies;
  try {
    const loaded = await loadQueuedMessages(
      knex,
      jobs.map((job) => job.data),
      dependencies.validitySeconds,
    );
    traceClaims(loaded, jobs);
    const messages = await prepared(dependencies, loaded, through);
    const startedMs = performance.now();
    const lease = leaseOf(jobs);
    const handedOver = await handOver(dependencies, messages, { through, most, lease });
    const tried = handedOver.filter(({ connector }) => connector === through?.name);
    const took = tried.filter(({ outcome: { kind } }) => kind === 'accepted' || kind === 'rejected').length;
    // One that stood still has taken the time of its connector.
    const tookNone = took === 0 && lease.leftMs() > exchangesMs;
    learn({ messages: tried.length, tookNone, tookMs: performance.now() - startedMs });
    const results = movedOn(handedOver, through, tookNone);
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
    for (const [connector = '', some] of Map.groupBy(results.flatMap(hopOf), (hop) => hop.connector))
      events.messagesMovedOn(connector, 'refused', some.length);
  } catch (error) {
    await queue.release(jobs);
    throw error;
  }
}

/**
 * Without a connector, messages go back to the queue, into the lane of what they may go through now. Where there are
 * several, one that has parts of a message gets the others too.
 */
async function prepared(
  { knex, wayFor, events }: DeliveryDependencies,
  messages: readonly QueuedMessage[],
  through: Through | undefined,
): Promise<readonly QueuedMessage[]> {
  if (through === undefined)
    return Promise.all(messages.map(async (message) => ({ ...message, way: await wayFor(message) })));
  if (!through.hasOthers) return messages;
  const owners = await ownersOfParts(knex, messages.filter(mayHaveParts));
  const free = messages.filter(({ id, connector }) => connector === null && !owners.has(id));
  await noteHops(
    knex,
    through.passed.flatMap((one) => free.map(({ id }) => ({ messageId: id, ...one, refused: false }))),
  );
  for (const { connector } of through.passed) events.messagesMovedOn(connector, 'passed over', free.length);
  return owners.size === 0
    ? messages
    : messages.map((message) => ({ ...message, connector: owners.get(message.id) ?? message.connector }));
}

const mayHaveParts = ({ product, content }: QueuedMessage) =>
  product === 'sms' && segmentsOf(content).segments > 1;

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
  await moveOn(trx, results);
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
    ({ message, outcome: { kind } }) =>
      isSentOnce(message.product) && (kind === 'later' || kind === 'movesOn'),
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

/** No connector could take it, or another one may: it keeps its place in the queue. */
function waits({ outcome: { kind } }: Settled): boolean {
  return kind === 'waits' || kind === 'movesOn';
}

async function moveOn(trx: Knex.Transaction, results: readonly Settled[]): Promise<void> {
  const hops = results.flatMap(hopOf);
  if (hops.length === 0) return;
  await lockMessages(
    trx,
    results.map(({ message }) => message.id),
  );
  await noteHops(trx, hops);
}

function hopOf({ message, outcome, connector }: Settled): Hop[] {
  if (outcome.kind !== 'movesOn' || connector === undefined) return [];
  const { reason, reasonCode } = outcome;
  return [{ messageId: message.id, connector, reason, reasonCode, refused: true }];
}
