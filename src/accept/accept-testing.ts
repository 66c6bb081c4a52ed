/** Walks a product's rules through the order of checks (spec/decisions.md), for their tests. */

import type { Accepted, Plan } from '../model/plan.ts';
import { errors } from '../platform/errors.ts';
import { parsePhone } from '../products/phone/testing.ts';
import type { Checks, Command, Rules } from '../products/rules.ts';
import { createAccept } from './accept.ts';
import type { Taken } from './intake.ts';
import { createReceiptRequestCheck } from './receipt-request.ts';

export const testChecks: Checks = {
  parsePhone,
  checkReceiptRequest: createReceiptRequestCheck({ urlRefusal: () => undefined }),
};

export const requestId = '11111111-1111-4111-8111-111111111111';

/** A request, and what may stand in its way besides its command and the facts. */
export interface Situation<C extends Command, Facts> {
  command: C;
  facts: Facts;
  keyInUse?: boolean;
  tooFast?: boolean;
  short?: boolean;
}

/** One row of the list: how to fail it, and what a client reads then. */
export interface CheckRow<C extends Command, Facts> {
  check: string;
  broken: (situation: Situation<C, Facts>) => Partial<Situation<C, Facts>>;
  status: number;
  desc: string;
}

/** What is the same for all products. */
export const keyCheck = {
  check: '7 Idempotency-Key',
  broken: () => ({ keyInUse: true }),
  status: 409,
  desc: 'A request with this Idempotency-Key is still running.',
};
export const rateCheck = {
  check: '9 rate limit',
  broken: () => ({ tooFast: true }),
  status: 429,
  desc: 'The limit of 400 messages per second is exceeded.',
};
export const balanceCheck = {
  check: '12 balance',
  broken: () => ({ short: true }),
  status: 400,
  desc: 'Insufficient units for 1 unit(s) requested.',
};

/** For each row a request that fails this check and all later ones. */
export function walk<C extends Command, Facts, Admitted, A extends Accepted>(
  rules: Rules<C, Facts, Admitted, A>,
  good: Situation<C, Facts>,
  rows: readonly CheckRow<C, Facts>[],
) {
  return rows.map(({ check, status, desc }, index) => {
    let situation = good;
    // The last check first: what an earlier one breaks must stay broken.
    for (const { broken } of rows.slice(index).reverse()) situation = { ...situation, ...broken(situation) };
    return { check, status, desc, send: () => send(rules, situation) };
  });
}

/** Sends a request through the real shell, with an intake and a limiter that do as the situation says. */
export async function send<C extends Command, Facts, Admitted, A extends Accepted>(
  rules: Rules<C, Facts, Admitted, A>,
  { command, facts, keyInUse, tooFast, short }: Situation<C, Facts>,
): Promise<Taken<A>> {
  const accept = createAccept(
    {
      intake: {
        begin: async () => {
          if (keyInUse) throw errors.keyInUse();
          return {
            replay: undefined,
            commit: async ({ accepted }) => {
              if (short) throw errors.insufficientUnits(1);
              return { accepted, replayed: false };
            },
            end: () => {},
          };
        },
      },
      limiter: {
        take: async () => {
          if (tooFast) throw errors.rateLimitExceeded(400, 'messages', 1);
          return async () => {};
        },
      },
      limitsOf: async () => [],
      codes: { counted: async (plan, _limits, commit) => commit(plan) },
      checks: testChecks,
      clock: { now: () => 0 },
      findOptedOut: async () => new Set(),
    },
    rules,
    async () => facts,
  );
  return accept(command);
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
