/** Sends requests through the real way of acceptance, for tests of a product's rules. */
import type { Accepted, Plan } from '../model/plan.ts';
import { errors } from '../platform/errors.ts';
import { parsePhone } from '../products/phone/testing.ts';
import type { Checks, Command, Rules } from '../products/rules.ts';
import { type AcceptDependencies, createAccept } from './accept.ts';
import type { Taken } from './intake.ts';
import { createReceiptRequestCheck } from './receipt-request.ts';

export const testChecks: Checks = {
  parsePhone,
  checkReceiptRequest: createReceiptRequestCheck({ urlRefusal: () => undefined }),
};

export const requestId = '11111111-1111-4111-8111-111111111111';

/** What may stand in the way of a request besides its command and the facts. */
interface Obstacles {
  keyInUse?: boolean;
  tooFast?: boolean;
  short?: boolean;
}

export interface Situation<C extends Command, Facts> extends Obstacles {
  command: C;
  facts: Facts;
}

/** In-memory dependencies of acceptance; `step` is called with the name of each step. */
export const acceptanceWith = (
  { keyInUse, tooFast, short }: Obstacles,
  step: (name: string) => void = () => {},
): AcceptDependencies => ({
  intake: {
    begin: async ({ clientId, operation }) => {
      step(`begin ${operation} of ${clientId}`);
      if (keyInUse) throw errors.keyInUse();
      return {
        replay: undefined,
        commit: async ({ accepted }) => {
          step('commit');
          if (short) throw errors.insufficientUnits(1);
          return { accepted, replayed: false };
        },
        end: () => step('end'),
      };
    },
  },
  limiter: {
    take: async ({ teamId }, operation, recipients) => {
      step(`limit ${recipients} in ${operation} of ${teamId}`);
      if (tooFast) throw errors.rateLimitExceeded(400, 'messages', 1);
      return async () => step('give back');
    },
  },
  limitsOf: async () => [],
  codes: { counted: async (plan, _limits, commit) => commit(plan) },
  checks: testChecks,
  clock: { now: () => 0 },
  findOptedOut: async () => new Set(),
});

/** What a command has besides its product's own. */
export const common = {
  caller: { teamId: 'team', clientId: 'client', scopes: [] as string[] },
  receiptRequest: undefined,
  idempotency: undefined,
};

/** Sends a request through the real shell, with an intake and a limiter that do as the situation says. */
export async function send<C extends Command, Facts, Admitted, A extends Accepted>(
  rules: Rules<C, Facts, Admitted, A>,
  { command, facts, ...obstacles }: Situation<C, Facts>,
): Promise<Taken<A>> {
  return createAccept(acceptanceWith(obstacles), rules, async () => facts)(command);
}

/** What the rules alone make of a request that arrives at 0. */
export function planOf<C extends Command, Facts, Admitted, A extends Accepted>(
  { admit, plan }: Rules<C, Facts, Admitted, A>,
  command: C,
  facts: Facts,
): Plan<A> {
  const asked = { command, facts, nowMs: 0, requestId };
  return plan(asked, admit(asked, testChecks));
}
