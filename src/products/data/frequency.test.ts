/** The outcome of a bundle at its hand-over, by its claim to the phone's grant. */
import { expect } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { decideByGrants, type Grant } from './frequency.ts';

const duplicated = { kind: 'rejected', state: 'Duplicated', reason: expect.any(String) };
const later = (delaySeconds: number) => ({ kind: 'later', delaySeconds });

testEvery<[string, Grant | undefined, number, object | undefined]>([
  ['its campaign has no limit', undefined, 0, undefined],
  ['it has the grant', 'open', 100, undefined],
  ['the phone had its bundle', 'used', 0, duplicated],
  ['another is on its way, for the first time', 'claimed', 0.2, later(1)],
  ['another is on its way for a while', 'claimed', 40, later(10)],
  ['another is on its way for an hour', 'claimed', 3_600, later(60)],
])('%s', (_rule, grant, ageSeconds, decision) => {
  const grants = new Map(grant === undefined ? [] : [['1', grant] as const]);
  expect(decideByGrants([{ id: '1', ageSeconds }], grants).get('1')).toEqual(decision);
});
