/** Puts one system under load and measures it: end to end as far as the callback, or its acceptance alone. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { countWork, type DatabaseWork, memoryOf, startUsage, type Watched } from './measure.ts';
import type { LoadCalls, LoadOptions, LoadResult } from './parts/load.ts';
import { type Part, startPart } from './parts/part.ts';
import type { ReceiverCalls } from './parts/receiver.ts';

/** A system that accepts messages. */
export interface Target {
  load: LoadOptions;
  watched: Watched;
  /** Its database, if it can be measured. */
  knex?: Knex | undefined;
}

export interface Figures {
  messagesPerSecond: number;
  requestsPerSecond: number;
  /** Of requests, in milliseconds. */
  p50: number;
  p99: number;
  /** Microseconds per message, by process. */
  cpu: Record<string, number>;
  /** Peak resident megabytes, by process. */
  memory: Record<string, number>;
  /** Processors kept busy by processes that have no part in this. */
  otherCores: number;
  work?: DatabaseWork;
  /** The same, after the load has gone on for longer. */
  later?: Figures;
  /** Accepted messages whose callback did not come, and callbacks whose signature was wrong. */
  lost?: number;
  faulty?: number;
}

/** Processes are compiled by then: before, a message costs up to twice as much. */
export const warmUpSeconds = 8;
/** Messages on their way at once: enough to keep every stage busy, and none drowned. */
const messagesOnTheirWay = 4_000;
const lookEveryMs = 20;

export interface EndToEndOptions {
  /** Measures a second time after so long. */
  laterAfterSeconds?: number | undefined;
}

/** Keeps so many messages on their way, and counts those whose callback has come. */
export async function runEndToEnd(
  target: Target,
  receiver: Part<ReceiverCalls>,
  seconds: number,
  { laterAfterSeconds }: EndToEndOptions = {},
): Promise<Figures> {
  const started = await receiver.call('counts');
  const received = async () => (await receiver.call('counts')).received - started.received;
  const load = await startPart<LoadCalls>('load.ts', target.load);
  let pumping = true;
  const pump = (async () => {
    while (pumping) {
      await load.call('allow', (await received()) + messagesOnTheirWay);
      await delay(lookEveryMs);
    }
  })();
  try {
    const watched = [...target.watched, load, { name: 'receiver', pid: receiver.pid }];
    const figures = await measure(load, watched, target.load, seconds, received);
    if (laterAfterSeconds !== undefined) {
      await delay(laterAfterSeconds * 1000);
      figures.later = await measure(load, watched, target.load, seconds, received);
    }
    if (target.knex !== undefined) figures.work = await countWork(target.knex, 3, received);
    const { accepted } = await load.call('stop');
    figures.lost = accepted - (await settled(received, accepted));
    figures.faulty = (await receiver.call('counts')).faulty - started.faulty;
    figures.memory = peaks(target.watched);
    return figures;
  } finally {
    pumping = false;
    await pump;
    await load.end();
  }
}

/** Sends as fast as responses arrive. */
export async function runAcceptance(target: Target, seconds: number): Promise<Figures> {
  const load = await startPart<LoadCalls>('load.ts', target.load);
  try {
    await load.call('allow', Number.MAX_SAFE_INTEGER);
    const figures = await measure(load, [...target.watched, load], target.load, seconds);
    figures.memory = peaks(target.watched);
    return figures;
  } finally {
    await load.end();
  }
}

async function measure(
  load: Part<LoadCalls>,
  watched: Watched,
  { messagesPerRequest }: LoadOptions,
  seconds: number,
  received?: () => Promise<number>,
): Promise<Figures> {
  await delay(warmUpSeconds * 1000);
  await load.call('look');
  const before = await received?.();
  const usage = startUsage(watched);
  await delay(seconds * 1000);
  const { seconds: took, cpuSeconds, otherCores } = usage();
  const result = await load.call('look');
  const messages =
    received === undefined
      ? result.accepted.requests * messagesPerRequest
      : (await received()) - (before ?? 0);
  requireAccepted(result);
  return {
    messagesPerSecond: messages / took,
    requestsPerSecond: result.accepted.requests / took,
    p50: result.accepted.p50,
    p99: result.accepted.p99,
    cpu: Object.fromEntries(
      Object.entries(cpuSeconds).map(([name, spent]) => [name, (spent * 1e6) / Math.max(1, messages)]),
    ),
    memory: {},
    otherCores,
  };
}

/** Rejections would be fast, and prove nothing. */
function requireAccepted({ requests, accepted, statuses }: LoadResult): void {
  if (accepted.requests < requests * 0.99)
    throw new Error(`requests were refused: ${JSON.stringify(statuses)}`);
}

/** The number received, once it is all or has stopped growing for ten seconds. */
async function settled(received: () => Promise<number>, expected: number): Promise<number> {
  let last = -1;
  for (;;) {
    const now = await received();
    if (now >= expected || now === last) return now;
    last = now;
    for (let tries = 0; tries < 50 && (await received()) === last; tries += 1) await delay(200);
  }
}

/** The database's processes share most of their memory, so their sum would mean nothing; the SMSC is ours. */
const withoutMemory = new Set(['database', 'smsc']);

function peaks(watched: Watched): Record<string, number> {
  const megabytes: Record<string, number> = {};
  for (const { name, pid } of watched)
    if (!withoutMemory.has(name)) megabytes[name] = Math.max(megabytes[name] ?? 0, memoryOf(pid).peak);
  return megabytes;
}

/** The mean of several measurements of one system, with the highest of its peaks. */
export function meanOf(all: readonly Figures[]): Figures {
  const [first] = all;
  if (first === undefined) throw new Error('nothing was measured');
  const mean = (of: (one: Figures) => number) => all.reduce((sum, one) => sum + of(one), 0) / all.length;
  const byName = (of: (one: Figures) => Record<string, number>, combined: (name: string) => number) =>
    Object.fromEntries(Object.keys(of(first)).map((name) => [name, combined(name)]));
  return {
    ...first,
    messagesPerSecond: mean((one) => one.messagesPerSecond),
    requestsPerSecond: mean((one) => one.requestsPerSecond),
    p50: mean((one) => one.p50),
    p99: mean((one) => one.p99),
    cpu: byName(
      (one) => one.cpu,
      (name) => mean((one) => one.cpu[name] ?? 0),
    ),
    memory: byName(
      (one) => one.memory,
      (name) => Math.max(...all.map((one) => one.memory[name] ?? 0)),
    ),
    otherCores: mean((one) => one.otherCores),
    lost: all.reduce((sum, { lost = 0 }) => sum + lost, 0),
    faulty: all.reduce((sum, { faulty = 0 }) => sum + faulty, 0),
  };
}
