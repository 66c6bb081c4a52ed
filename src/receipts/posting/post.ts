/** Posts receipts, several at once, and no team or origin at the expense of another: new ones from memory, others by claim. */
import type { Events } from '../../events.ts';
import { isItemFault, reasonOf } from '../../isolation/fault.ts';
import type { OwnedReceipt } from '../owned-receipt.ts';
import { type Attempt, type AttemptDependencies, attempt } from './attempt.ts';
import { createHand, type Moves } from './hand.ts';
import { type OriginEvents, tellOfOrigins } from './origin-events.ts';
import { createOutcomes } from './outcomes.ts';
import type { ReceiptRepository } from './repository.ts';

export interface PosterDependencies extends AttemptDependencies {
  repository: ReceiptRepository;
  /** Whether this process may own receipts now. */
  mayOwn: () => boolean;
  events: AttemptDependencies['events'] & OriginEvents & Pick<Events, 'itemQuarantined'>;
}

export interface Poster {
  /** Whether this process posts a receipt from memory once its row is there, so that the row should name it. */
  takes: (receipt: OwnedReceipt) => boolean;
  /** Receipts were recorded; `own`: those that it took. */
  recorded: (own: readonly OwnedReceipt[]) => void;
  /** Starts posting what is due; returns whether there may be more at once. Throws what went wrong before it. */
  round: () => Promise<boolean>;
  /** Called when there is work for a round. */
  onWork: (wake: () => void) => void;
  /** Gives back receipts that name this process and were lost on their way to it. */
  sweep: () => Promise<void>;
  /** Resolves when no attempt that has ended waits to be recorded. */
  settled: () => Promise<void>;
  /** Resolves when no post is under way, and none waits for a place. */
  idle: () => Promise<void>;
  /** Gives back what has not begun; resolves when no post is under way. */
  drain: () => Promise<void>;
}

/** With more of them, a place is free again only when the outcome of its post is recorded. */
const mostUnrecorded = 2_000;
/** Every so many rounds one claims without a look: after a clock was set back, what is due does not look so. */
const roundsPerClaim = 60;

export function createPoster(dependencies: PosterDependencies): Poster {
  const { repository, events, mayOwn } = dependencies;
  const hand = createHand();
  const underWay = new Map<string, Promise<void>>();
  const settling = new Set<Promise<void>>();
  /** Attempts that have ended and are not recorded. */
  let unrecorded = 0;
  /** Receipts were left for a claim since the last one. */
  let left = false;
  /** The last look found due receipts that nobody has. */
  let moreDue = false;
  let rounds = 0;
  let claiming = false;
  /** A claim may have given this process receipts that it never heard of. */
  let strays = false;
  let wake = () => {};
  let faults: unknown[] = [];

  const outcomes = createOutcomes(
    async (attempts) => tellOfOrigins(await repository.settle(attempts), events),
    (error) => faults.push(error),
  );

  const settle = (task: Promise<void>) => {
    const tracked = task
      .catch((error: unknown) => {
        strays = true;
        faults.push(error);
      })
      .finally(() => settling.delete(tracked));
    settling.add(tracked);
    return tracked;
  };

  const apply = ({ start, release }: Moves) => {
    for (const receipt of start) underWay.set(receipt.id, run(receipt));
    if (release.length > 0) void settle(giveBack(release));
  };

  const giveBack = async (ids: readonly string[]) => {
    await repository.release(ids);
    left = true;
    wake();
  };

  const orSetAside = async ({ id }: OwnedReceipt, work: Promise<void>) => {
    try {
      await work;
    } catch (error) {
      if (!isItemFault(error)) throw error;
      await repository.setAside(id, error);
      events.itemQuarantined('receipt', id, reasonOf(error));
    }
  };

  const run = async (receipt: OwnedReceipt) => {
    let works: boolean | null = null;
    let hasPlace = true;
    const leavePlace = () => {
      if (hasPlace) apply(hand.ended(receipt, works));
      hasPlace = false;
      if (left || moreDue) wake();
    };
    const end = async (made: Promise<Attempt>) => {
      const attempt = await made.finally(() => {
        unrecorded += 1;
      });
      works = attempt.originWorks;
      const recorded = outcomes.record(attempt);
      // The next post need not wait for the record of a success. A failure may change what the origin is allowed.
      if (works === true && unrecorded < mostUnrecorded) leavePlace();
      await recorded;
    };
    await settle(orSetAside(receipt, end(attempt(dependencies, receipt))));
    unrecorded -= 1;
    underWay.delete(receipt.id);
    leavePlace();
  };

  const claim = async (): Promise<number> => {
    const capacity = hand.capacity();
    if (capacity === undefined || !mayOwn()) return 0;
    claiming = true;
    left = false;
    try {
      const claimed = await repository.claim(capacity);
      apply(hand.claimed(claimed, capacity));
      return claimed.receipts.length;
    } catch (error) {
      strays = true;
      throw error;
    } finally {
      claiming = false;
    }
  };

  return {
    takes: (receipt) => {
      if (mayOwn() && hand.takes(receipt)) return true;
      left = true;
      return false;
    },

    recorded: (own) => {
      apply(hand.arrive(own));
      if (left) wake();
    },

    round: async () => {
      const [fault] = faults;
      faults = [];
      if (fault !== undefined) throw fault;
      rounds += 1;
      moreDue = left || (await repository.anyDue());
      return (moreDue || rounds % roundsPerClaim === 0) && (await claim()) > 0;
    },

    onWork: (callback) => {
      wake = callback;
    },

    sweep: async () => {
      await repository.release(hand.overdue());
      if (!strays || claiming) return;
      strays = false;
      const known = new Set([...underWay.keys(), ...hand.waiting()]);
      const owned = await repository.owned();
      await repository.release(owned.filter((id) => !known.has(id)));
    },

    settled: async () => {
      while (unrecorded > 0) await Promise.race(settling);
    },

    idle: async () => {
      while (underWay.size > 0) await Promise.all(underWay.values());
    },

    drain: async () => {
      outcomes.stop();
      await repository.release(hand.close()).catch((error: unknown) => faults.push(error));
      await Promise.all(underWay.values());
      await Promise.all(settling);
    },
  };
}
