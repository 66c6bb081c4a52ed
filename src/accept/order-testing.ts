/** Walks a product's rules through the order of checks (spec/decisions.md), for their tests. */
import { expect } from '@jest/globals';
import type { Accepted } from '../model/plan.ts';
import { forEvery } from '../platform/for-every-testing.ts';
import type { Command, Rules } from '../products/rules.ts';
import { type Situation, send } from './accept-testing.ts';

/** One row of the list: how to fail it, and the sentence that a client reads then. */
export type Row<C extends Command, Facts> = readonly [
  check: string,
  broken: (situation: Situation<C, Facts>) => Partial<Situation<C, Facts>>,
  desc: string,
];

/** What is the same for all products. */
export const key = [
  '7 Idempotency-Key',
  () => ({ keyInUse: true }),
  'A request with this Idempotency-Key is still running.',
] as const;
export const rate = [
  '9 rate limit',
  () => ({ tooFast: true }),
  'The limit of 400 messages per second is exceeded.',
] as const;
export const balance = [
  '12 balance',
  () => ({ short: true }),
  'Insufficient units for 1 unit(s) requested.',
] as const;

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
export async function isKept<C extends Command, Facts, Admitted, A extends Accepted>(
  rules: Rules<C, Facts, Admitted, A>,
  good: Situation<C, Facts>,
  rows: readonly Row<C, Facts>[],
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
