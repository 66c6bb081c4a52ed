/** Hands queued messages to their networks and records what became of them. */
import type { Knex } from 'knex';
import type { Connector, HandOver } from '../connectors/connector.ts';
import type { Events } from '../events.ts';
import { type RenderReceipt, recordChanges } from '../receipts/record.ts';
import type { StateChange } from '../receipts/states.ts';
import { segmentsOf } from '../sms/segments.ts';
import { type DeliveryJob, foldJobs, type Queue, type ReportJob, type RequestShare } from './queue.ts';
import { loadQueuedMessages, type QueuedMessage } from './repository.ts';

export interface DeliveryDependencies {
  knex: Knex;
  queue: Queue;
  /** The connector that serves the channel now; undefined when the channel or its connector is gone. */
  connectorOf: (channel: string) => Promise<Connector | undefined>;
  renderReceipt: RenderReceipt;
  events: Events;
  /** A message that waited longer for its network fails and is refunded. */
  validitySeconds: number;
  /** Called when receipts were queued. */
  onReceipts: () => void;
}

/** Jobs handed over together: few enough that nobody waits long for an embedded database. */
const jobsPerRound = 8;

/** One round: answers whether there may be more jobs at once. */
export async function deliverRound(dependencies: DeliveryDependencies): Promise<boolean> {
  const { knex, queue, renderReceipt, events } = dependencies;
  const jobs = await queue.take('deliver', jobsPerRound);
  if (jobs.length === 0) return false;
  const ids = jobs.map((job) => job.id);
  try {
    const messages = await loadQueuedMessages(
      knex,
      jobs.map((job) => job.data),
    );
    const results = await handOver(dependencies, messages);
    const finished = await knex.transaction(async (trx) => {
      const ended = await recordChanges(trx, results.flatMap(changeOf), renderReceipt);
      for (const [delaySeconds, reports] of announcedReports(results))
        await queue.insert(trx, 'report', reports, delaySeconds);
      for (const [delaySeconds, again] of postponedJobs(results))
        await queue.insert(trx, 'deliver', again, delaySeconds);
      await queue.complete(trx, 'deliver', ids);
      return ended;
    });
    for (const message of finished) events.messageFinished(message);
    if (finished.some((message) => message.callbackUrl !== null)) dependencies.onReceipts();
  } catch (error) {
    await queue.release('deliver', ids, error instanceof Error ? error.message : String(error));
    throw error;
  }
  return jobs.length === jobsPerRound;
}

interface Result {
  message: QueuedMessage;
  outcome: HandOver;
}

/** Each connector gets its messages in one batch; the connectors work side by side. */
async function handOver(
  { connectorOf, validitySeconds }: DeliveryDependencies,
  messages: readonly QueuedMessage[],
): Promise<Result[]> {
  const results: Result[] = [];
  const batches = new Map<Connector, QueuedMessage[]>();
  for (const message of messages) {
    const connector = await connectorOf(message.channel);
    if (message.ageSeconds > validitySeconds) results.push({ message, outcome: expired });
    else if (connector === undefined) results.push({ message, outcome: noConnector });
    else append(batches, connector, message);
  }
  await Promise.all(
    [...batches].map(async ([connector, batch]) => {
      const outcomes = await connector.send(batch);
      batch.forEach((message, index) => {
        results.push({ message, outcome: outcomes[index] ?? tryAgain });
      });
    }),
  );
  return results;
}

const expired: HandOver = { kind: 'rejected', state: 'Failed', reason: 'The message expired in the queue' };
const noConnector: HandOver = { kind: 'later', delaySeconds: 60 };
const tryAgain: HandOver = { kind: 'later', delaySeconds: 1 };

function changeOf({ message, outcome }: Result): StateChange[] {
  if (outcome.kind === 'later') return [];
  if (outcome.kind === 'rejected')
    return [
      {
        messageId: message.id,
        state: outcome.state,
        reason: outcome.reason,
        reasonCode: outcome.reasonCode,
        refund: true,
      },
    ];
  return [
    {
      messageId: message.id,
      state: outcome.reports?.find((report) => report.afterSeconds === 0)?.state ?? 'Submitted',
      networkId: outcome.networkId,
      segments: segmentsOf(message.text).segments,
      refund: false,
    },
  ];
}

function announcedReports(results: readonly Result[]): Map<number, ReportJob[]> {
  const byDelay = new Map<number, ReportJob[]>();
  for (const { message, outcome } of results) {
    if (outcome.kind !== 'accepted') continue;
    for (const { state, afterSeconds } of outcome.reports ?? [])
      if (afterSeconds > 0) append(byDelay, afterSeconds, { messageId: message.id, state });
  }
  return byDelay;
}

/** The messages that stay queued, by the time after which they are tried again. */
function postponedJobs(results: readonly Result[]): Map<number, DeliveryJob[]> {
  const byDelay = new Map<number, Map<string, RequestShare>>();
  for (const { message, outcome } of results) {
    if (outcome.kind !== 'later') continue;
    const { requestId, channel } = message;
    const shares = byDelay.get(outcome.delaySeconds) ?? new Map<string, RequestShare>();
    const name = JSON.stringify([requestId, channel]);
    shares.set(name, { requestId, channel, messages: (shares.get(name)?.messages ?? 0) + 1 });
    byDelay.set(outcome.delaySeconds, shares);
  }
  return new Map([...byDelay].map(([delay, shares]) => [delay, foldJobs(shares.values())]));
}

function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
