/** Takes a request's plan into the database once, whatever its client repeats. */
import { errors } from '../errors.ts';
import type { Outcome } from './commit.ts';
import type { Accepted, IdempotencyKey, Plan } from './plan.ts';
import type { KeyRepository } from './repository.ts';

/** How long a key answers with its first answer. */
export const keyLifetimeSeconds = 24 * 3600;

export interface Submission {
  clientId: string;
  operation: string;
  idempotency: IdempotencyKey | undefined;
}

export interface Taken {
  accepted: Accepted;
  /** True when this is the stored answer of an earlier request with the same key. */
  replayed: boolean;
}

export interface Intake {
  /**
   * Runs `work`, unless the submission's key already has an answer; `work` makes a plan and commits it.
   * Rejects with 400 (units), 409 (key in use) or 422 (key of another request), or as `work` does;
   * nothing is stored then.
   */
  take: (submission: Submission, work: (commit: CommitPlan) => Promise<Taken>) => Promise<Taken>;
}

/** Carries one plan out, in a transaction shared with others. */
export type CommitPlan = (plan: Plan) => Promise<Taken>;

export function createIntake(keys: KeyRepository, submit: (plan: Plan) => Promise<Outcome>): Intake {
  const running = new Set<string>();

  return {
    take: async (submission, work) => {
      const { idempotency } = submission;
      const commit: CommitPlan = async (plan) => {
        const outcome = await submit(plan);
        if (outcome === 'insufficient') throw errors.insufficientUnits(unitsOf(plan));
        if (outcome === 'accepted') return { accepted: plan.accepted, replayed: false };
        // Another process took the key while we planned.
        const replay = await findReplay(keys, submission);
        if (replay === undefined) throw errors.keyInUse();
        return replay;
      };
      if (idempotency === undefined) return work(commit);
      const name = JSON.stringify([submission.clientId, submission.operation, idempotency.key]);
      if (running.has(name)) throw errors.keyInUse();
      running.add(name);
      try {
        return (await findReplay(keys, submission)) ?? (await work(commit));
      } finally {
        running.delete(name);
      }
    },
  };
}

async function findReplay(
  keys: KeyRepository,
  { clientId, operation, idempotency }: Submission,
): Promise<Taken | undefined> {
  if (idempotency === undefined) return undefined;
  const stored = await keys.find(clientId, operation, idempotency.key);
  if (stored === undefined) return undefined;
  if (stored.fingerprint !== idempotency.fingerprint) throw errors.keyReused();
  return { accepted: stored.accepted, replayed: true };
}

function unitsOf(plan: Plan): number {
  return plan.messages.reduce((sum, message) => sum + message.units, 0);
}
