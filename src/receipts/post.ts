/** Posts due receipts: signed, guarded, several at once, and no origin at the expense of another. */
import { createBatcher } from '../batch.ts';
import type { Clock } from '../clock.ts';
import type { Events } from '../events.ts';
import type { CallbackClient, PostOutcome } from './client.ts';
import type { Attempt, ClaimedReceipt, ReceiptRepository } from './repository.ts';
import { nextAttempt } from './schedule.ts';
import { signReceipt } from './signature.ts';

export interface PosterDependencies {
  repository: ReceiptRepository;
  client: CallbackClient;
  /** The client's signing secrets (`whsec_…`), at most two. */
  signingSecretsOf: (clientId: string) => Promise<readonly string[]>;
  /** Delays between attempts, in seconds. */
  schedule: readonly number[];
  clock: Clock;
  events: Events;
}

export interface Poster {
  /** Starts posting what is due; answers whether there may be more at once. Throws what a post before it met. */
  round: () => Promise<boolean>;
  /** Called whenever a post has ended. */
  onSettled: (wake: () => void) => void;
  /** Resolves when no post is under way. */
  drain: () => Promise<void>;
}

const mostInFlight = 128;
const mostInFlightPerOrigin = 16;
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
  const originLoad = new Map<string, number>();
  let wake = () => {};
  let faults: unknown[] = [];

  const start = (receipt: ClaimedReceipt) => {
    originLoad.set(receipt.origin, (originLoad.get(receipt.origin) ?? 0) + 1);
    const task = attempt(dependencies, receipt)
      .then((made) => settle.submit(made))
      // The claim's lease runs out and the receipt is posted again: at least once.
      .catch((error: unknown) => {
        faults.push(error);
      })
      .finally(() => {
        inFlight.delete(task);
        const left = (originLoad.get(receipt.origin) ?? 0) - 1;
        if (left > 0) originLoad.set(receipt.origin, left);
        else originLoad.delete(receipt.origin);
        wake();
      });
    inFlight.add(task);
  };

  return {
    round: async () => {
      const [fault] = faults;
      faults = [];
      if (fault !== undefined) throw fault;
      const limit = mostInFlight - inFlight.size;
      if (limit <= 0) return false;
      const receipts = await repository.claim({
        limit,
        perOrigin: mostInFlightPerOrigin / 2,
        busyOrigins: [...originLoad]
          .filter(([, load]) => load > mostInFlightPerOrigin / 2)
          .map(([origin]) => origin),
        leaseSeconds,
      });
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
  const secrets = await dependencies.signingSecretsOf(receipt.clientId);
  const headers = signReceipt({
    id: receipt.id,
    timestampSeconds: Math.floor(dependencies.clock.now() / 1000),
    body: receipt.body,
    secrets,
  });
  const outcome = await dependencies.client.post(receipt.url, headers, receipt.body);
  const next = nextAttempt(outcome, receipt.attemptsMade + 1, dependencies.schedule, Math.random());
  dependencies.events.receiptAttempted(next.kind, receipt.id);
  return {
    receiptId: receipt.id,
    origin: receipt.origin,
    state: states[next.kind],
    delaySeconds: next.kind === 'again' ? next.delaySeconds : 0,
    status: outcome.kind === 'answered' ? outcome.status : undefined,
    error: outcome.kind === 'answered' ? undefined : outcome.reason,
    originWorks: originWorks(outcome),
  };
}

const states = { delivered: 'Delivered', ended: 'Ended', again: 'Pending', exhausted: 'Exhausted' } as const;

function originWorks(outcome: PostOutcome): boolean {
  return outcome.kind === 'answered' && (outcome.status < 300 || outcome.status === 410);
}
