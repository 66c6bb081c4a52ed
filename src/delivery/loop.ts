/** A background loop that runs while there is work, sleeps while there is none, and can be woken. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Pace, steadyPace } from './pace.ts';

export interface Loop {
  /** Looks for work now instead of at the next poll. */
  wake: () => void;
  /** Looks for work now; resolves after the first round from now on that finds no more. */
  idle: () => Promise<void>;
  /** Ends after the step under way. */
  stop: () => Promise<void>;
}

/**
 * Starts the loop. `step` does one round of work and returns whether there may be more at once. A step that throws
 * is logged and retried after the idle time, which `pace` may extend.
 */
export function startLoop(
  name: string,
  idleMs: number,
  logger: Logger,
  step: () => Promise<boolean>,
  pace: Pace = steadyPace,
): Loop {
  let stopped = false;
  let woken = false;
  let endSleep = () => {};
  let rounds = 0;
  /** Callers of `idle`, with the first round that counts for them. */
  let waiting: { round: number; resolve: () => void }[] = [];

  const resolveIdle = (round: number) => {
    const [done, others] = [
      waiting.filter((one) => one.round <= round),
      waiting.filter((one) => one.round > round),
    ];
    waiting = others;
    for (const { resolve } of done) resolve();
  };

  const sleep = () =>
    new Promise<void>((resolve) => {
      const cancel = pace.after(idleMs, resolve);
      endSleep = () => {
        cancel();
        resolve();
      };
    });

  const run = async () => {
    while (!stopped) {
      woken = false;
      const round = ++rounds;
      const more = await step().catch((error: unknown) => {
        logger.error({ err: error, loop: name }, 'background work failed');
        return false;
      });
      if (more) pace.touch();
      else resolveIdle(round);
      if (!more && !woken && !stopped) await sleep();
    }
    resolveIdle(Number.POSITIVE_INFINITY);
  };
  const wake = () => {
    woken = true;
    pace.touch();
    endSleep();
  };
  const ended = run();

  return {
    wake,
    idle: () =>
      new Promise((resolve) => {
        waiting.push({ round: rounds + 1, resolve });
        wake();
      }),
    stop: () => {
      stopped = true;
      endSleep();
      return ended;
    },
  };
}

const lookEveryMs = 10;

/**
 * While others are busy, a step is followed by a rest of nineteen times its length: it takes a twentieth of the
 * time. The rest ends with their work.
 */
export async function givingWay<Result>(
  othersBusy: () => boolean,
  step: () => Promise<Result>,
): Promise<Result> {
  const startedMs = performance.now();
  const result = await step();
  const restUntilMs = performance.now() + (performance.now() - startedMs) * 19;
  while (othersBusy() && performance.now() < restUntilMs) await delay(lookEveryMs);
  return result;
}
