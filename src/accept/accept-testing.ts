/** Walks a product's rules through the order of checks (spec/decisions.md), for their tests. */
import { expect } from '@jest/globals';
import type { Accepted, Plan } from '../model/plan.ts';
import { errors } from '../platform/errors.ts';
import { forEvery } from '../platform/for-every-testing.ts';
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

/** One row of the list: how to fail it, and the sentence that a client reads then. */
export type CheckRow<C extends Command, Facts> = readonly [
  check: string,
  broken: (situation: Situation<C, Facts>) => Partial<Situation<C, Facts>>,
  desc: string,
];

/** What is the same for all products. */
export const keyCheck = [
  '7 Idempotency-Key',
  () => ({ keyInUse: true }),
  'A request with this Idempotency-Key is still running.',
] as const;
export const rateCheck = [
  '9 rate limit',
  () => ({ tooFast: true }),
  'The limit of 400 messages per second is exceeded.',
] as const;
export const balanceCheck = [
  '12 balance',
  () => ({ short: true }),
  'Insufficient units for 1 unit(s) requested.',
] as const;

/** What a command has besides its product's own. */
export const common = {
  caller: { teamId: 'team', clientId: 'client', scopes: [] as string[] },
  receiptRequest: undefined,
  idempotency: undefined,
};

/** Ways to break a check: one more recipient, other properties of the command, other facts. */
export const alsoTo =
  <R>(recipient: NoInfer<R>) =>
  <C extends { recipients: readonly R[] }>({ command }: { command: C }) => ({
    command: { ...command, recipients: [...command.recipients, recipient] },
  });
export const withCommand =
  <C>(change: Partial<NoInfer<C>>) =>
  ({ command }: { command: C }) => ({ command: { ...command, ...change } });
export const withFacts =
  <Facts>(change: Partial<NoInfer<Facts>>) =>
  ({ facts }: { facts: Facts }) => ({ facts: { ...facts, ...change } });

/** What is good is accepted, and what fails a check and all later ones is rejected by that check. */
export async function rejectsInOrder<C extends Command, Facts, Admitted, A extends Accepted>(
  rules: Rules<C, Facts, Admitted, A>,
  good: Situation<C, Facts>,
  rows: readonly CheckRow<C, Facts>[],
): Promise<void> {
  expect(await send(rules, good)).toMatchObject({ replayed: false });
  const situations = rows.map(([check, , desc], index): [string, string, Situation<C, Facts>] => {
    let situation = good;
    // The last check first: what an earlier one breaks must stay broken.
    for (const [, broken] of rows.slice(index).reverse()) situation = { ...situation, ...broken(situation) };
    return [check, desc, situation];
  });
  await forEvery(situations, 'check %s', (_check, desc, situation) =>
    expect(send(rules, situation)).rejects.toMatchObject({ desc }),
  );
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
