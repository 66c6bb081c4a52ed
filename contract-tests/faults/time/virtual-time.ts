/** Time that stands still until it is moved: replaces clocks and timers, and so is imported before anything else. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { currentInstance, type Instance } from '../choke/instance.ts';

type Callback = (...args: unknown[]) => unknown;

/** What the machine's time is needed for: to find out that nothing moves. */
export const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  now: performance.now.bind(performance),
};

const RealDate = Date;
const startedAtMs = RealDate.parse('2026-03-02T09:00:00Z');
/** Milliseconds since the process began. */
let passedMs = 0;
/** A clock that was set forward or back, on all machines. */
let steppedMs = 0;
let leaptMs = 0;
let created = 0;
/** When a message last came further, or a byte arrived. */
let eventMs = 0;
const timers = new Set<VirtualTimer>();

/** As far as the service and its libraries use Node's timers. */
class VirtualTimer {
  readonly owner: Instance | undefined = currentInstance();
  readonly order = ++created;
  atMs = 0;
  readonly ms: number;
  private readonly repeats: boolean;
  private readonly run: () => void;

  constructor(callback: Callback, ms: unknown, args: readonly unknown[], repeats: boolean) {
    // As Node does: times of day have no fractions of a millisecond.
    this.ms = Math.max(1, Math.trunc(Number(ms)) || 0);
    this.repeats = repeats;
    const inContext = AsyncLocalStorage.snapshot();
    this.run = () => inContext(() => callback(...args));
    this.refresh();
  }

  fire(): void {
    timers.delete(this);
    if (this.repeats) this.refresh();
    this.run();
  }

  refresh(): this {
    this.atMs = passedMs + this.ms;
    timers.add(this);
    return this;
  }

  close(): void {
    timers.delete(this);
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  [Symbol.toPrimitive](): number {
    return this.order;
  }
}

/** Milliseconds that only grow. */
export const elapsedMs = (): number => passedMs;

/** The time of day on the machines, without what single processes are ahead. */
export const wallMs = (): number => startedAtMs + passedMs + steppedMs;

/** Sets the clocks of all machines forward or back. */
export function stepClocks(ms: number): void {
  steppedMs += ms;
}

/** Lets time pass at once, without what would have happened meanwhile: what was due is due now. */
export function leap(ms: number): void {
  passedMs += ms;
  leaptMs += ms;
}

/** Milliseconds that did not pass at once. */
export const livedMs = (): number => passedMs - leaptMs;

/** Something came further: a loop that looks for work often is not idle. */
export function happened(): void {
  eventMs = passedMs;
}

/** When nothing has happened for so long, loops that look for work more often than that are let look more rarely. */
const idleAfterMs = 6_000;
const oftenMs = 2_000;

/** Moves on to the next timer and runs it, if it is due by then; otherwise moves to `limitMs` and returns false. */
export function moveToNextTimer(limitMs: number): boolean {
  const idle = passedMs - eventMs > idleAfterMs;
  let next: VirtualTimer | undefined;
  for (const timer of timers) {
    if (timer.owner?.lives() === false) timers.delete(timer);
    else if (timer.owner?.frozen()) continue;
    else if (idle && timer.owner !== undefined && timer.ms <= oftenMs && timer.atMs > passedMs) continue;
    else if (
      next === undefined ||
      timer.atMs < next.atMs ||
      (timer.atMs === next.atMs && timer.order < next.order)
    )
      next = timer;
  }
  if (next === undefined || next.atMs > limitMs) {
    passedMs = Math.max(passedMs, limitMs);
    return false;
  }
  passedMs = Math.max(passedMs, next.atMs);
  next.fire();
  return true;
}

function install(): void {
  const start =
    (repeats: boolean) =>
    (callback: Callback, ms?: number, ...args: unknown[]) =>
      new VirtualTimer(callback, ms, args, repeats);
  const stop = (timer: unknown) => {
    if (timer instanceof VirtualTimer) timer.close();
    else if (typeof timer === 'number') for (const one of timers) if (one.order === timer) one.close();
  };
  const replaced = {
    setTimeout: start(false),
    setInterval: start(true),
    clearTimeout: stop,
    clearInterval: stop,
  };
  const require = createRequire(import.meta.url);
  Object.assign(globalThis, replaced);
  Object.assign(require('node:timers'), replaced);
  require('node:timers/promises').setTimeout = (ms: number, value: unknown) =>
    new Promise((resolve) => replaced.setTimeout(() => resolve(value), ms));
  syncBuiltinESMExports();
  performance.now = elapsedMs;
  RealDate.now = () => wallMs() + (currentInstance()?.clockMs ?? 0);
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args) => Reflect.construct(target, args.length === 0 ? [RealDate.now()] : args),
  });
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    replaced.setTimeout(
      () => controller.abort(new DOMException('The operation timed out', 'TimeoutError')),
      ms,
    );
    return controller.signal;
  };
}

install();
