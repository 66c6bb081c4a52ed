/** Posts that are under way: makes each attempt, has its outcome recorded and frees its place. */
import type { Events } from '../../events.ts';
import { isItemFault, reasonOf } from '../../isolation/fault.ts';
import type { OwnedReceipt } from '../owned-receipt.ts';
import { type Attempt, type AttemptDependencies, attempt } from './attempt.ts';
import type { ReceiptRepository } from './repository.ts';

export interface PostDependencies extends AttemptDependencies {
  repository: Pick<ReceiptRepository, 'setAside'>;
  events: AttemptDependencies['events'] & Pick<Events, 'itemQuarantined'>;
}

export interface UnderWay {
  start: (receipt: OwnedReceipt) => void;
  ids: () => Iterable<string>;
  /** Runs work that a post leaves behind, such as giving receipts back. */
  runBeside: (work: Promise<void>) => void;
  /** The first error since the last call, if any. */
  takeFault: () => unknown;
  addFault: (error: unknown) => void;
  /** Resolves when no attempt that has ended waits to be recorded. */
  recorded: () => Promise<void>;
  /** Resolves when no post is under way. */
  ended: () => Promise<void>;
  /** Resolves when all that runs now, posts and other work, has ended. */
  drained: () => Promise<void>;
}

interface Owner {
  record: (made: Attempt) => Promise<void>;
  /** The post no longer needs its place. `works`: whether its origin works; null: unknown. */
  onPlaceFree: (receipt: OwnedReceipt, works: boolean | null) => void;
  /** Called after each step of a post. */
  onProgress: () => void;
  /** A post, or work beside it, failed. */
  onFailure: () => void;
}

/** With more of them, a place is free again only when the outcome of its post is recorded. */
const mostUnrecorded = 2_000;

export function createUnderWay(
  dependencies: PostDependencies,
  { record, onPlaceFree, onProgress, onFailure }: Owner,
): UnderWay {
  const posts = new Map<string, Promise<void>>();
  const settling = new Set<Promise<void>>();
  /** Attempts that have ended and are not recorded. */
  let unrecorded = 0;
  let faults: unknown[] = [];

  const settle = (work: Promise<void>) => {
    const tracked = work
      .catch((error: unknown) => {
        onFailure();
        faults.push(error);
      })
      .finally(() => settling.delete(tracked));
    settling.add(tracked);
    return tracked;
  };

  const post = async (receipt: OwnedReceipt) => {
    let works: boolean | null = null;
    let hasPlace = true;
    const leavePlace = () => {
      if (hasPlace) onPlaceFree(receipt, works);
      hasPlace = false;
      onProgress();
    };
    const end = async (made: Promise<Attempt>) => {
      const ended = await made.finally(() => {
        unrecorded += 1;
      });
      works = ended.originWorks;
      const recorded = record(ended);
      // The next post need not wait for the record of a success. A failure may change what the origin is allowed.
      if (works === true && unrecorded < mostUnrecorded) leavePlace();
      await recorded;
    };
    await settle(orSetAside(dependencies, receipt, end(attempt(dependencies, receipt))));
    unrecorded -= 1;
    posts.delete(receipt.id);
    leavePlace();
  };

  return {
    start: (receipt) => void posts.set(receipt.id, post(receipt)),
    ids: () => posts.keys(),
    runBeside: (work) => void settle(work),
    takeFault: () => {
      const [fault] = faults;
      faults = [];
      return fault;
    },
    addFault: (error) => void faults.push(error),
    recorded: async () => {
      while (unrecorded > 0) await Promise.race(settling);
    },
    ended: async () => {
      while (posts.size > 0) await Promise.all(posts.values());
    },
    drained: async () => {
      await Promise.all(posts.values());
      await Promise.all(settling);
    },
  };
}

/** An item that cannot be recorded because of its own data goes to quarantine. */
async function orSetAside(
  { repository, events }: PostDependencies,
  { id }: OwnedReceipt,
  work: Promise<void>,
): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isItemFault(error)) throw error;
    await repository.setAside(id, error);
    events.itemQuarantined('receipt', id, reasonOf(error));
  }
}
