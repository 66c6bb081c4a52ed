/** Posts due receipts concurrently: claims them, makes an attempt at each, and has its outcome recorded. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Events } from '../../model/events.ts';
import type { Stopwatch } from '../../platform/clock.ts';
import { isItemFault, reasonOf } from '../../platform/isolation/fault.ts';
import type { LeasedReceipt } from '../insert-repository.ts';
import { type AttemptDependencies, attempt } from './attempt.ts';
import type { ClaimedReceipt } from './claim.ts';
import { createOutcomes } from './outcomes.ts';
import { type OriginEvents, tellOfOrigins } from './parking.ts';
import { createPlaces, type Moves, type Places } from './places.ts';
import type { ReceiptRepository } from './repository.ts';

export interface PosterDependencies extends AttemptDependencies {
  repository: ReceiptRepository;
  stopwatch: Stopwatch;
  events: AttemptDependencies['events'] & OriginEvents & Pick<Events, 'itemQuarantined'>;
}

export interface Poster {
  /** Receipts were created: these are leased to this process, and `others` wait to be claimed. */
  recorded: (leased?: readonly LeasedReceipt[], others?: boolean) => void;
  /** How many more receipts of an origin it can have. */
  leasable: Places['leasable'];
  /** Starts posting what is due; returns whether there may be more at once. Throws what went wrong before it. */
  round: () => Promise<boolean>;
  /** Called when there is work for a round. */
  onWork: (wake: () => void) => void;
  /** Resolves when no attempt that has ended waits to be recorded. */
  settled: () => Promise<void>;
  /** Resolves when no post is under way. */
  idle: () => Promise<void>;
  /** Gives back what has not begun; resolves when no post is under way. */
  drain: () => Promise<void>;
}

/** With more of them, a place is free again only when the outcome of its post is recorded. */
const mostUnrecorded = 2_000;
/** Between claims: what becomes due within this time shares a claim, which costs much and each receipt in it little. */
const restMs = 50;
/** Also while new receipts keep it busy, it looks for what other processes left. */
const lookEveryMs = 1_000;

export function createPoster(dependencies: PosterDependencies): Poster {
  const { repository, stopwatch, events } = dependencies;
  const places = createPlaces(stopwatch);
  /** What this process has claimed, and neither recorded nor given back. */
  const held = new Map<string, ClaimedReceipt>();
  /** Posts until they are recorded, and receipts that are being given back. */
  const running = new Set<Promise<void>>();
  /** Attempts that have ended and are not recorded. */
  let unrecorded = 0;
  let faults: unknown[] = [];
  /** Receipts were created, or given back, since the last claim. */
  let created = false;
  /** The last look found due receipts. */
  let due = false;
  let lookedMs = stopwatch.elapsedMs();
  let rested = Promise.resolve();
  let wake = () => {};

  const outcomes = createOutcomes(
    async (attempts) => tellOfOrigins(await repository.settle(attempts), events),
    (error) => void faults.push(error),
  );

  const run = (work: Promise<void>) => {
    const done = () => void running.delete(tracked);
    const tracked = work.then(done, (error: unknown) => {
      faults.push(error);
      done();
    });
    running.add(tracked);
  };

  const move = ({ start, release }: Moves) => {
    for (const receipt of start) run(post(receipt));
    if (release.length > 0) run(giveBack(release));
  };

  const giveBack = async (ids: readonly string[]) => {
    const receipts = ids.flatMap((id) => held.get(id) ?? []);
    await repository.release(receipts).finally(() => {
      for (const id of ids) held.delete(id);
    });
    created = true;
    wake();
  };

  const post = async (receipt: ClaimedReceipt) => {
    let works: boolean | null = null;
    let hasPlace = true;
    const leavePlace = () => {
      if (hasPlace) move(places.ended(receipt, works));
      hasPlace = false;
      if (created || due) wake();
    };
    try {
      const made = await attempt(dependencies, receipt).finally(() => {
        unrecorded += 1;
      });
      works = made.originWorks;
      const recorded = outcomes.record(made);
      // The next post need not wait for the record of a success. A failure may change what the origin is allowed.
      if (works === true && unrecorded < mostUnrecorded) leavePlace();
      await recorded;
    } catch (error) {
      // An item that cannot be recorded because of its own data goes to quarantine.
      if (!isItemFault(error)) throw error;
      await repository.setAside(receipt, error);
      events.itemQuarantined('receipt', receipt.id, reasonOf(error));
    } finally {
      unrecorded -= 1;
      held.delete(receipt.id);
      leavePlace();
    }
  };

  return {
    recorded: (leased = [], others = true) => {
      const moves = leased.map((receipt) => {
        held.set(receipt.id, receipt);
        return places.addLeased(receipt, receipt.claimedMs);
      });
      move({
        start: moves.flatMap(({ start }) => start),
        release: moves.flatMap(({ release }) => release),
      });
      if (!others) return;
      created = true;
      wake();
    },

    leasable: places.leasable,

    round: async () => {
      const [fault] = faults;
      faults = [];
      if (fault !== undefined) throw fault;
      const looks = !created || stopwatch.elapsedMs() - lookedMs >= lookEveryMs;
      if (looks) {
        due = await repository.anyDue();
        lookedMs = stopwatch.elapsedMs();
      }
      due ||= created;
      if (!due) return false;
      await rested;
      const room = places.room();
      if (room === undefined) return false;
      // A claim may miss what is created while it runs.
      created = false;
      const claimedMs = stopwatch.elapsedMs();
      const claimed = await repository.claim(room);
      rested = delay(restMs, undefined, { ref: false });
      // One that it still has was claimed again after its lease.
      const receipts = claimed.filter(({ id }) => !held.has(id));
      for (const receipt of receipts) held.set(receipt.id, receipt);
      move(places.add(receipts, claimedMs));
      return claimed.length > 0;
    },

    onWork: (callback) => {
      wake = callback;
    },

    settled: async () => {
      while (unrecorded > 0) await Promise.race(running);
    },

    idle: async () => {
      while (running.size > 0) await Promise.all(running);
    },

    drain: async () => {
      outcomes.stop();
      const waiting = places.close();
      if (waiting.length > 0) run(giveBack(waiting));
      while (running.size > 0) await Promise.all(running);
    },
  };
}
