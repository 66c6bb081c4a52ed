/**
 * Posts receipts concurrently, without letting one team or origin slow down another: new ones from memory, others by
 * claim.
 */
import type { OwnedReceipt } from '../owned-receipt.ts';
import { createHand, type Hand, type Moves } from './hand.ts';
import { type OriginEvents, tellOfOrigins } from './origin-events.ts';
import { createOutcomes } from './outcomes.ts';
import type { ReceiptRepository } from './repository.ts';
import { createUnderWay, type PostDependencies } from './under-way.ts';

export interface PosterDependencies extends PostDependencies {
  repository: ReceiptRepository;
  /** Whether this process may own receipts now. */
  mayOwn: () => boolean;
  events: PostDependencies['events'] & OriginEvents;
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
  /** Releases receipts that name this process and were lost on their way to it. */
  sweep: () => Promise<void>;
  /** Resolves when no attempt that has ended waits to be recorded. */
  settled: () => Promise<void>;
  /** Resolves when no post is under way, and none waits for a place. */
  idle: () => Promise<void>;
  /** Releases what has not begun; resolves when no post is under way. */
  drain: () => Promise<void>;
}

/** Every so many rounds one claims without a look: after a clock was set back, what is due does not look so. */
const roundsPerClaim = 60;

export function createPoster(dependencies: PosterDependencies): Poster {
  const { repository, events, mayOwn } = dependencies;
  const hand = createHand();
  let wake = () => {};

  const outcomes = createOutcomes(
    async (attempts) => tellOfOrigins(await repository.settle(attempts), events),
    (error) => underWay.addFault(error),
  );
  const underWay = createUnderWay(dependencies, {
    record: outcomes.record,
    onPlaceFree: (receipt, works) => apply(hand.ended(receipt, works)),
    onProgress: () => {
      if (claims.expected()) wake();
    },
    onFailure: () => claims.suspectStrays(),
  });

  const apply = ({ start, release }: Moves) => {
    for (const receipt of start) underWay.start(receipt);
    if (release.length > 0) underWay.runBeside(giveBack(release));
  };
  const claims = createClaims(dependencies, hand, apply);

  const giveBack = async (ids: readonly string[]) => {
    await repository.release(ids);
    claims.leave();
    wake();
  };

  return {
    takes: (receipt) => {
      if (mayOwn() && hand.takes(receipt)) return true;
      claims.leave();
      return false;
    },

    recorded: (own) => {
      apply(hand.arrive(own));
      if (claims.anyLeft()) wake();
    },

    round: async () => {
      const fault = underWay.takeFault();
      if (fault !== undefined) throw fault;
      return claims.round();
    },

    onWork: (callback) => {
      wake = callback;
    },

    sweep: async () => {
      await repository.release(hand.overdue());
      await claims.releaseStrays(() => new Set([...underWay.ids(), ...hand.waiting()]));
    },

    settled: underWay.recorded,
    idle: underWay.ended,

    drain: async () => {
      outcomes.stop();
      await repository.release(hand.close()).catch(underWay.addFault);
      await underWay.drained();
    },
  };
}

/** Claims receipts if some are due, and releases those that a failed claim left to this process. */
function createClaims(
  { repository, mayOwn }: Pick<PosterDependencies, 'repository' | 'mayOwn'>,
  hand: Hand,
  apply: (moves: Moves) => void,
) {
  /** Receipts were left for a claim since the last one. */
  let left = false;
  /** The last look found due receipts that nobody has. */
  let moreDue = false;
  let rounds = 0;
  let claiming = false;
  /** A claim may have assigned receipts to this process without telling it. */
  let strays = false;

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
    leave: () => {
      left = true;
    },
    anyLeft: () => left,
    /** Whether the next round will claim. */
    expected: () => left || moreDue,
    suspectStrays: () => {
      strays = true;
    },
    round: async (): Promise<boolean> => {
      rounds += 1;
      moreDue = left || (await repository.anyDue());
      return (moreDue || rounds % roundsPerClaim === 0) && (await claim()) > 0;
    },
    /** `known`: the receipts that this process knows it has. */
    releaseStrays: async (known: () => ReadonlySet<string>): Promise<void> => {
      if (!strays || claiming) return;
      strays = false;
      const knownIds = known();
      const owned = await repository.owned();
      await repository.release(owned.filter((id) => !knownIds.has(id)));
    },
  };
}
