/** Shares the parts to be sent among the binds of a connector: each bind's window, and the rate of all. */
import type { Trouble } from '../../contract/kind.ts';
import { createRate } from '../../runtime/rate.ts';
import { type Outcome, outcomeOf, statusText } from '../sending/outcomes.ts';
import type { ShortMessage } from '../wire/bodies.ts';
import { PduFault } from '../wire/fault.ts';
import type { Answer, Link } from './link.ts';
import { createYieldingPace, type YieldingPace } from './pace.ts';
import { createQueue } from './queue.ts';
import type { Timers } from './timers.ts';

/**
 * The outcome of a part. Throttled parts, and those of lost binds that never sent them, have none: they are sent
 * again.
 */
export type Submitted =
  | { kind: 'accepted'; id: string }
  | (Exclude<Outcome, { kind: 'accepted' | 'throttled' | 'rebind' }> & { status: number })
  /** It went out, and may have arrived or not. */
  | { kind: 'unanswered' }
  /** It has values that no submit_sm can carry. */
  | { kind: 'impossible'; reason: string }
  /** It never went out. */
  | { kind: 'withdrawn' };

export interface Job {
  fields: ShortMessage;
  /** After this time it is not sent or resent. */
  deadlineMs: number;
  /** Undefined: it may leave. A promise: whether it may is being looked up; true: it does not. */
  lookAgain?: () => Promise<boolean> | undefined;
  /** It is written now; false: the network has refused it, and it waits again. */
  onOut?: (out: boolean) => void;
  /** The part keeps its place in the window until the promise settles: its outcome may have to be stored. */
  onDone: (submitted: Submitted) => undefined | Promise<void>;
}

export interface Pool {
  submit: (job: Job) => void;
  /** True, with the outcome `withdrawn`, if it still waits; false if it was sent. */
  withdraw: (job: Job) => boolean;
  /** What may be sent until then, from now on; with a rate of 0 all that waits is withdrawn. */
  allow: (ratePerSecond: number, untilMs: number) => void;
  /** A bound link that can take submit_sm. */
  add: (link: Link) => void;
  remove: (link: Link) => void;
  bound: () => number;
  inFlight: () => number;
}

interface BoundLink {
  link: Link;
  used: number;
  ownPace: YieldingPace;
}

export function createPool(limits: { window: number; rate: number }, timers: Timers, trouble: Trouble): Pool {
  const rate = createRate(limits.rate);
  let untilMs = Number.POSITIVE_INFINITY;
  const waiting = createQueue<Job>();
  /** Parts that were out and are to be sent again, before all others. */
  const again: Job[] = [];
  /** Parts about which is being looked up whether they may still leave: they hold nothing up. */
  const lookedAt = new Set<Job>();
  const binds = new Map<Link, BoundLink>();
  const wakeIn = createAlarm(timers, () => pump());

  const mayLeave = (nowMs: number) => nowMs < untilMs && rate.waitMs(nowMs) < Number.POSITIVE_INFINITY;

  const send = createSending(timers, trouble, {
    sendAgain: (job) => {
      job.onOut?.(false);
      if (timers.now() >= job.deadlineMs || !mayLeave(timers.now())) return false;
      again.push(job);
      return true;
    },
    onFree: () => pump(),
  });

  const pump = () => {
    while (again.length + waiting.length() > 0) {
      const nowMs = timers.now();
      if (!mayLeave(nowMs)) return;
      const bind = freest(binds.values(), limits.window, nowMs);
      if (bind === undefined) return;
      const waitMs = Math.max(rate.waitMs(nowMs), bind.ownPace.waitMs(nowMs));
      if (waitMs > 0) return wakeIn(waitMs);
      const job = again.shift() ?? waiting.shift();
      if (job === undefined) return;
      // A process that stood still may see a response before the timer of the deadline.
      if (nowMs >= job.deadlineMs) void job.onDone({ kind: 'withdrawn' });
      else if (!looks(job)) {
        rate.spend(nowMs);
        job.onOut?.(true);
        send(bind, job, nowMs);
      }
    }
  };

  /** Whether it has to wait for a look-up, after which it comes before those that came later. */
  const looks = (job: Job): boolean => {
    const looking = job.lookAgain?.();
    if (looking === undefined) return false;
    lookedAt.add(job);
    const back = (stopped: boolean) => {
      if (!lookedAt.delete(job)) return;
      if (stopped) void job.onDone({ kind: 'withdrawn' });
      else again.push(job);
      wakeIn(0);
    };
    looking.then(back, () => back(true));
    return true;
  };

  const withdraw = (job: Job) => {
    const place = again.indexOf(job);
    if (place >= 0) again.splice(place, 1);
    else if (!lookedAt.delete(job) && !waiting.remove(job)) return false;
    void job.onDone({ kind: 'withdrawn' });
    return true;
  };

  return {
    submit: (job) => {
      waiting.push(job);
      pump();
    },
    withdraw,
    allow: (ratePerSecond, endMs) => {
      rate.set(ratePerSecond);
      untilMs = endMs;
      if (ratePerSecond > 0) return pump();
      for (const job of [...again, ...lookedAt, ...waiting.items()]) withdraw(job);
    },
    add: (link) => {
      binds.set(link, { link, used: 0, ownPace: createYieldingPace() });
      pump();
    },
    remove: (link) => {
      binds.delete(link);
    },
    bound: () => binds.size,
    inFlight: () => [...binds.values()].reduce((sum, { used }) => sum + used, 0),
  };
}

/** Runs once for several calls in one turn. */
function createAlarm(timers: Timers, ring: () => void): (ms: number) => void {
  let set = false;
  return (ms) => {
    if (set) return;
    set = true;
    timers.after(ms, () => {
      set = false;
      ring();
    });
  };
}

interface Sending {
  /** Returns a part to the queue; false if it is too late to send it. */
  sendAgain: (job: Job) => boolean;
  /** A place in a window is free. */
  onFree: () => void;
}

/** Sends a part over a link, and does what the response asks for. */
function createSending(timers: Timers, trouble: Trouble, { sendAgain, onFree }: Sending) {
  const free = (bind: BoundLink) => {
    bind.used -= 1;
    onFree();
  };

  const finish = (bind: BoundLink, job: Job, submitted: Submitted) => {
    const stored = job.onDone(submitted);
    if (stored === undefined) return free(bind);
    stored.then(
      () => free(bind),
      () => free(bind),
    );
  };

  const settle = (bind: BoundLink, job: Job, answer: Answer<'submit_sm'> | undefined, sentMs: number) => {
    if (answer === undefined) return finish(bind, job, { kind: 'unanswered' });
    const { status } = answer;
    const outcome = outcomeOf(status);
    if (outcome.kind === 'throttled' || outcome.kind === 'rebind') {
      if (outcome.kind === 'throttled') {
        bind.ownPace.throttled(sentMs, timers.now());
        trouble.throttled();
      } else bind.link.close('the SMSC says that the link is not bound');
      if (sendAgain(job)) return free(bind);
      return finish(bind, job, { kind: 'withdrawn' });
    }
    bind.ownPace.accepted();
    if (outcome.kind === 'retry') trouble.failed(`the SMSC responded ${statusText(status)}`);
    if (outcome.kind !== 'accepted') return finish(bind, job, { ...outcome, status });
    finish(bind, job, { kind: 'accepted', id: 'messageId' in answer ? answer.messageId : '' });
  };

  return (bind: BoundLink, job: Job, nowMs: number): void => {
    bind.ownPace.spend(nowMs);
    bind.used += 1;
    try {
      bind.link.request('submit_sm', job.fields, (answer) => settle(bind, job, answer, nowMs));
    } catch (error) {
      if (!(error instanceof PduFault)) throw error;
      finish(bind, job, { kind: 'impossible', reason: error.message });
    }
  };
}

/** With room in its window; the one that may send soonest, and of those the one with the most room. */
function freest(binds: Iterable<BoundLink>, window: number, nowMs: number): BoundLink | undefined {
  let best: BoundLink | undefined;
  let bestWaitMs = 0;
  for (const bind of binds) {
    if (bind.used >= window) continue;
    const waitMs = bind.ownPace.waitMs(nowMs);
    const better =
      best === undefined || waitMs < bestWaitMs || (waitMs === bestWaitMs && bind.used < best.used);
    if (!better) continue;
    best = bind;
    bestWaitMs = waitMs;
  }
  return best;
}
