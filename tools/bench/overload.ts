/** Offers ten times what the service can accept, on 2,000 connections, and watches latency, rejections and memory. */
import { setTimeout as delay } from 'node:timers/promises';
import { memoryOf } from './measure.ts';
import type { LoadCalls, LoadOptions, LoadResult } from './parts/load.ts';
import { startPart } from './parts/part.ts';
import type { Cluster } from './parts/postgres.ts';
import { startBenchedService } from './parts/service.ts';
import { loadOf } from './systems.ts';

export interface Overload {
  /** Requests per second that 32 connections get accepted. */
  capacity: number;
  offered: number;
  connections: number;
  result: LoadResult;
  seconds: number;
  /** Resident megabytes of the service. */
  memory: { before: number; peak: number; after: number };
  /** Until memory was within a tenth of where it started; at most a minute. */
  secondsUntilReleased: number | undefined;
}

const connections = 2_000;
const times = 10;
const releaseWithinSeconds = 60;

export async function runOverload(cluster: Cluster | undefined, seconds: number): Promise<Overload> {
  const service = await startBenchedService({
    commands: ['start'],
    serverUrl: cluster?.url,
    smscPort: undefined,
  });
  const pid = service.processes[0]?.pid ?? 0;
  const options = loadOf(service, 1, undefined);
  try {
    const { accepted } = await loadFor(options, seconds);
    const capacity = accepted.requests / seconds;
    const before = memoryOf(pid).now;
    const offered = capacity * times;
    const result = await loadFor({ ...options, connections, perSecond: offered }, seconds);
    const peak = memoryOf(pid).peak;
    let waited = 0;
    for (; waited < releaseWithinSeconds && memoryOf(pid).now > before * 1.1; waited += 1) await delay(1_000);
    const after = memoryOf(pid).now;
    return {
      capacity,
      offered,
      connections,
      result,
      seconds,
      memory: { before, peak, after },
      secondsUntilReleased: after > before * 1.1 ? undefined : waited,
    };
  } finally {
    await service.dispose();
  }
}

/** After half as long again to warm up. */
async function loadFor(options: LoadOptions, seconds: number): Promise<LoadResult> {
  const load = await startPart<LoadCalls>('load.ts', options);
  try {
    await load.call('allow', Number.MAX_SAFE_INTEGER);
    await delay((seconds * 1000) / 2);
    await load.call('look');
    await delay(seconds * 1000);
    return await load.call('look');
  } finally {
    await load.end();
  }
}

export function overloadLine(overload: Overload): string {
  const { capacity, offered, result, seconds, memory, secondsUntilReleased } = overload;
  const { accepted, refused, statuses, closed } = result;
  const whole = (value: number) => Math.round(value).toLocaleString('en');
  return [
    `capacity ${whole(capacity)} requests/s, offered ${whole(offered)}/s on ${overload.connections} connections`,
    `accepted ${whole(accepted.requests / seconds)}/s, p50 ${whole(accepted.p50)} ms, p99 ${whole(accepted.p99)} ms`,
    `refused ${whole(refused.requests / seconds)}/s, p99 ${whole(refused.p99)} ms, ${refused.withoutRetryAfter} without Retry-After`,
    `responses ${JSON.stringify(statuses)}, ${closed} connections closed by the service`,
    `memory ${whole(memory.before)} MB, at most ${whole(memory.peak)} MB, ${
      secondsUntilReleased === undefined
        ? `still ${whole(memory.after)} MB a minute later`
        : `back within a tenth after ${secondsUntilReleased} s`
    }`,
  ].join('; ');
}
