/** The table of products holds together. */
import { expect, test } from '@jest/globals';
import { testEvery } from '../platform/for-every-testing.ts';
import { holdsFor, products, productsWith } from './products.ts';

testEvery(Object.entries(products))('%s: its rules name its own states', (_product, rules) => {
  const steps: readonly string[] = rules.steps;
  const finalStates: readonly string[] = rules.finalStates;
  expect(finalStates).toContain(rules.stateOfSilence);
  for (const step of [...rules.announcedSteps, ...Object.keys(rules.leadsOnlyTo)])
    expect(steps).toContain(step);
  for (const state of Object.values<readonly string[]>(rules.leadsOnlyTo).flat())
    expect(finalStates).toContain(state);
});

test('the products of a rule', () => {
  expect(productsWith('refundedAfterSubmission')).toEqual(['data']);
  expect(holdsFor('contentErased', 'm.product')).toBe("m.product = any('{sms,chatapp}')");
});
