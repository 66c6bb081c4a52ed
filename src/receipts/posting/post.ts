/** Posts due receipts: signed, guarded, several at once, and no team or origin at the expense of another. */

import type { Clock } from '../../clock.ts';
import { createBatcher } from '../../concurrency/group-commit.ts';
import type { Events } from '../../events.ts';
import { isItemFault, reasonOf } from '../../isolation/fault.ts';
import { originOf } from '../callback/callback-url.ts';
import type { CallbackClient, PostOutcome } from '../callback/client.ts';
import { type SignedReceipt, signReceipt } from '../callback/signature.ts';
import type { Attempt, ClaimedReceipt, ReceiptRepository } from './repository.ts';
import { type Next, nextAttempt } from './schedule.ts';
import { createSlots } from './slots.ts';

export interface PosterDependencies {
  repository: ReceiptRepository;
  client: CallbackClient;
  /** The client's signing secrets (`whsec_…`), at most two; undefined when they cannot be decrypted. */
  signingSecretsOf: (clientId: string) => Promise<readonly string[] | undefined>;
  /** Delays between attempts, in seconds. */
  schedule: readonly number[];
  clock: Clock;
  events: Pick<Events, 'receiptAttempted' | 'receiptUnsigned' | 'itemQuarantined'>;
}

export interface Poster {
  /** Starts posting what is due; answers whether there may be more at once. Throws what a post before it met. */
  round: () => Promise<boolean>;
  /** Called whenever a post has ended. */
  onSettled: (wake: () => void) => void;
  /** Resolves when no post is under way. */
  drain: () => Promise<void>;
}

/** Longer than a post may take. */
const leaseSeconds = 30;

export function createPoster(dependencies: PosterDependencies): Poster {
  const { repository } = dependencies;
  const settle = createBatcher<Attempt, void>(
    async (attempts) => {
      await repository.settle(attempts);
      return attempts.map(() => undefined);
    },
    () => 1,
    { lanes: 1, maxItems: 500, maxWeight: Number.POSITIVE_INFINITY },
  );
  const inFlight = new Set<Promise<void>>();
  const slots = createSlots();
  let wake = () => {};
  let faults: unknown[] = [];

  const start = (receipt: ClaimedReceipt) => {
    slots.take(receipt);
    let originWorks: boolean | null = null;
    const task = attempt(dependencies, receipt)
      .then((made) => {
        originWorks = made.originWorks;
        return settle.submit(made);
      })
      .catch(async (error: unknown) => {
        if (!isItemFault(error)) throw error;
        await repository.setAside(receipt.id, error);
        dependencies.events.itemQuarantined('receipt', receipt.id, reasonOf(error));
      })
      // The claim's lease runs out and the receipt is posted again: at least once.
      .catch((error: unknown) => {
        faults.push(error);
      })
      .finally(() => {
        inFlight.delete(task);
        slots.giveBack(receipt, originWorks);
        wake();
      });
    inFlight.add(task);
  };

  return {
    round: async () => {
      const [fault] = faults;
      faults = [];
      if (fault !== undefined) throw fault;
      const free = slots.free();
      if (free.limit === 0) return false;
      const receipts = await repository.claim(free, leaseSeconds);
      for (const receipt of receipts) start(receipt);
      return receipts.length > 0;
    },
    onSettled: (callback) => {
      wake = callback;
    },
    drain: async () => {
      await Promise.all(inFlight);
    },
  };
}

async function attempt(dependencies: PosterDependencies, receipt: ClaimedReceipt): Promise<Attempt> {
  const outcome = await post(dependencies, receipt);
  const next = nextOf(outcome, receipt, dependencies.schedule);
  dependencies.events.receiptAttempted(next.kind, receipt.id);
  return {
    receiptId: receipt.id,
    teamId: receipt.teamId,
    originKey: receipt.originKey,
    origin: originOf(receipt.url) ?? '',
    state: states[next.kind],
    delaySeconds: next.kind === 'again' ? next.delaySeconds : 0,
    counts: outcome !== unusable,
    status: outcome.kind === 'answered' ? outcome.status : undefined,
    error: outcome.kind === 'answered' ? undefined : outcome.reason,
    originWorks: isUnsent(outcome) ? null : originWorks(outcome),
  };
}

/** A process with the wrong key signs nothing. It must not use up attempts that another one could sign. */
const unusableDelaySeconds = 60;

function nextOf(outcome: PostOutcome, { attemptsMade }: ClaimedReceipt, schedule: readonly number[]): Next {
  return outcome === unusable
    ? { kind: 'again', delaySeconds: unusableDelaySeconds }
    : nextAttempt(outcome, attemptsMade + 1, schedule, Math.random());
}

/** A receipt that nobody can tell from a forged one is not posted: it waits like one whose endpoint is down. */
const unsigned: PostOutcome = { kind: 'failed', reason: 'no signing secret' };
const unusable: PostOutcome = { kind: 'failed', reason: 'unusable signing secret' };

/** Never left us: the origin is not to blame. */
const isUnsent = (outcome: PostOutcome) => outcome === unsigned || outcome === unusable;

async function post(
  { signingSecretsOf, clock, client, events }: PosterDependencies,
  { id, clientId, url, body }: ClaimedReceipt,
): Promise<PostOutcome> {
  const secrets = await signingSecretsOf(clientId);
  if (secrets?.length === 0) {
    events.receiptUnsigned(id, clientId);
    return unsigned;
  }
  const timestampSeconds = Math.floor(clock.now() / 1000);
  const headers = secrets && signed({ id, timestampSeconds, body, secrets });
  if (headers === undefined) {
    events.receiptUnsigned(id, clientId);
    return unusable;
  }
  return client.post(url, headers, body);
}

/** Undefined: a secret cannot sign. What it threw stays out of the log: it may tell of the secret. */
function signed(receipt: SignedReceipt): Record<string, string> | undefined {
  try {
    return signReceipt(receipt);
  } catch {
    return undefined;
  }
}

const states = { delivered: 'Delivered', ended: 'Ended', again: 'Pending', exhausted: 'Exhausted' } as const;

function originWorks(outcome: PostOutcome): boolean {
  return outcome.kind === 'answered' && (outcome.status < 300 || outcome.status === 410);
}
