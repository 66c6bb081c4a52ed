/** Commits a request's plan exactly once, however often the client retries. */

import { type Accepted, type IdempotencyKey, type Plan, sameRequest } from '../model/plan.ts';
import { onOver } from '../platform/concurrency/patience.ts';
import { errors } from '../platform/errors.ts';
import { capReached } from './caps.ts';
import type { Outcome } from './commit.ts';
import type { KeyRepository } from './repository.ts';

/** How long a key returns its first response. */
export const keyLifetimeSeconds = 24 * 3600;

export interface Submission {
  clientId: string;
  operation: string;
  idempotency: IdempotencyKey | undefined;
}

export interface Taken<A extends Accepted = Accepted> {
  accepted: A;
  /** True if this is the stored response of an earlier request with the same key. */
  replayed: boolean;
}

/** A request's turn: nobody else works on its key until it ends. */
export interface Turn<A extends Accepted = Accepted> {
  /** The response that the key already has; then there is nothing to commit. */
  replay: Taken<A> | undefined;
  /**
   * Carries the plan out, in a transaction shared with others. Rejects with 400 (units) or 409 (key in use, or of
   * another request); nothing is stored then.
   */
  commit: (plan: Plan<A>) => Promise<Taken<A>>;
  end: () => void;
}

export interface Intake {
  /**
   * Opens the turn of a request, which its caller ends. Rejects with 409 (key in use, or of another
   * request) or 429 (overloaded).
   */
  begin: <A extends Accepted>(submission: Submission) => Promise<Turn<A>>;
}

/** `overloaded`: whether a plan that is submitted now would wait for too long. */
export function createIntake(
  keys: KeyRepository,
  submit: (plan: Plan) => Promise<Outcome>,
  overloaded: () => boolean,
): Intake {
  const running = new Set<string>();

  const claim = ({ clientId, operation, idempotency }: Submission): (() => void) => {
    if (idempotency === undefined) return () => {};
    const name = JSON.stringify([clientId, operation, idempotency.key]);
    if (running.has(name)) throw errors.keyInUse();
    running.add(name);
    let held = true;
    const release = () => {
      if (held) running.delete(name);
      held = false;
    };
    // A request whose patience is over has its response, so its client may send it again.
    onOver(release);
    return release;
  };

  const commit = async <A extends Accepted>(submission: Submission, plan: Plan<A>): Promise<Taken<A>> => {
    const outcome = await submit(plan);
    if (outcome === 'accepted') return { accepted: plan.accepted, replayed: false };
    if (typeof outcome === 'object' && 'capped' in outcome) throw capReached(outcome.capped);
    if (outcome !== 'keyTaken') throw errors.insufficientUnits(unitsOf(plan, outcome.short));
    // Another process took the key while we planned.
    const replay = await findReplay<A>(keys, submission);
    if (replay === undefined) throw errors.keyInUse();
    return replay;
  };

  return {
    begin: async <A extends Accepted>(submission: Submission) => {
      if (overloaded()) throw errors.overloaded();
      const end = claim(submission);
      try {
        const replay = submission.idempotency && (await findReplay<A>(keys, submission));
        return { replay, commit: (plan: Plan<A>) => commit(submission, plan), end };
      } catch (error) {
        end();
        throw error;
      }
    },
  };
}

/** A key belongs to one operation: the stored response is that operation's. */
async function findReplay<A extends Accepted>(
  keys: KeyRepository,
  { clientId, operation, idempotency }: Submission,
): Promise<Taken<A> | undefined> {
  if (idempotency === undefined) return undefined;
  const stored = await keys.find(clientId, operation, idempotency.key);
  if (stored === undefined) return undefined;
  if (!sameRequest(stored.fingerprint, idempotency.fingerprint)) throw errors.keyReused();
  return { accepted: stored.accepted as A, replayed: true };
}

/** Units that the plan asks of one account. */
function unitsOf(plan: Plan, accountId: string): number {
  return plan.messages
    .filter((message) => message.accountId === accountId)
    .reduce((sum, message) => sum + message.units, 0);
}
