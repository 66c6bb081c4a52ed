/** Finds out when nothing moves any more, so that time may: no statement, no byte and no cryptography is under way. */
import { setImmediate as turn } from 'node:timers/promises';
import { real } from './virtual-time.ts';

let moves = 0;
let underWay = 0;
let wasBlocked = false;
let wake = () => {};
/** Whether what is under way waits for somebody who stands still. */
let isBlocked: () => Promise<boolean> = async () => false;

/** Turns of the event loop without a move: a byte that was written on this machine is there on the next one. */
const calmTurns = 6;
/** How long a statement may take, in the machine's time, before it is asked what it waits for. */
const suspiciousMs = 25;
/** The same once a statement is known to wait for a process that stands still: time then moves in thousands of steps. */
const suspiciousAgainMs = 1;

export function moved(): void {
  moves += 1;
  wake();
}

/** While it runs, time stands still. */
export async function during<Result>(work: Promise<Result>): Promise<Result> {
  underWay += 1;
  moved();
  try {
    return await work;
  } finally {
    underWay -= 1;
    moved();
  }
}

/** `blocked` moves nothing itself. */
export function onSuspicion(blocked: () => Promise<boolean>): void {
  isBlocked = blocked;
}

/** A loop that does this much at one instant does not rest while it waits. */
const mostMoves = 3_000;

/** Resolves when only time can change something. False: it was not still after very many moves. */
export async function stillness(): Promise<boolean> {
  const first = moves;
  for (let calm = 0; calm < calmTurns; ) {
    if (moves - first > mostMoves) return false;
    const seen = moves;
    if (underWay > 0) {
      const moving = await nextMove();
      if (!moving && (await isBlocked()) && moves === seen) {
        wasBlocked = true;
        return true;
      }
      calm = 0;
    } else {
      wasBlocked = false;
      await turn();
      calm = moves === seen ? calm + 1 : 0;
    }
  }
  return true;
}

/** False: for some time there was none. */
function nextMove(): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = real.setTimeout(() => resolve(false), wasBlocked ? suspiciousAgainMs : suspiciousMs);
    wake = () => {
      real.clearTimeout(timer);
      resolve(true);
    };
  });
}

/** Threads work on these. */
for (const name of ['sign', 'verify', 'digest', 'importKey', 'exportKey', 'generateKey'] as const) {
  const prototype = Object.getPrototypeOf(crypto.subtle);
  const original: (...args: unknown[]) => Promise<unknown> = prototype[name];
  prototype[name] = function (this: object, ...args: unknown[]) {
    return during(original.apply(this, args));
  };
}
