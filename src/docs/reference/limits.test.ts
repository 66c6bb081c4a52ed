/** Each operation that has a rate limit says so in its description, and no other. */
import { expect, test } from '@jest/globals';
import { operations } from '../../../spec/document.ts';
import { limitedOperations } from '../../contract/limits.ts';
import { testEvery } from '../../platform/for-every-testing.ts';

const units = { recipients: 'recipients', calls: 'requests' };

testEvery(limitedOperations())('$operation', ({ operation, perSecond, counts }) => {
  const { description = '' } = operations.find(({ operationId }) => operationId === operation) ?? {};
  expect(description).toContain(`Rate limit: ${perSecond} ${units[counts]} per second per team`);
});

test('no other operation promises one', () => {
  const promising = operations.filter(({ description = '' }) => description.includes('Rate limit:'));
  expect(promising.map(({ operationId }) => operationId)).toEqual(
    limitedOperations().map(({ operation }) => operation),
  );
});
