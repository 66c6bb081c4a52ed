/** Which documented response the header Prefer chooses, and with which headers. */
import { expect, test } from '@jest/globals';
import { loadDocument } from '../../contract/document.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { createPreferredResponse } from './prefer.ts';

const preferred = createPreferredResponse(loadDocument());
const read = (prefer: string, operation = 'sendSms') => {
  const response = preferred(operation, prefer);
  return response && { ...response, body: JSON.parse(response.body.toString()) };
};

testEvery(['respond-async, wait=5', 'dynamic=true', 'decode=400', ''])('%j chooses none', (prefer) => {
  expect(read(prefer)).toBeUndefined();
});

testEvery([
  'code=400, example=insufficientUnits',
  'code=400; example="insufficientUnits"',
  'respond-async, Example=insufficientUnits',
  'example = insufficientUnits',
  'example=insufficientUnits, example=noRecipients',
])('%j chooses an error, with its own headers', (prefer) => {
  expect(read(prefer)).toMatchObject({
    status: 400,
    headers: {
      'error-code': 'insufficient-units',
      link: '</docs/errors/insufficient-units>; rel="help"',
      'preference-applied': 'code=400, example=insufficientUnits',
    },
    body: { desc: expect.stringMatching(/^Insufficient units/) },
  });
});

test('a status alone chooses the first example of it', () => {
  expect(read('code=429', 'listBalances')).toMatchObject({
    status: 429,
    headers: { 'retry-after': '1', 'error-code': 'rate-limit-exceeded' },
    body: { error: 'rate_limit_exceeded' },
  });
});

test('what the operation does not have is rejected, with a list of what it has', () => {
  expect(() => read('code=418')).toThrow('no response with code=418 here. It has 200, 400, 401,');
  expect(() => read('code=400, example=acepted')).toThrow(
    'no response with example=acepted here. It has schema',
  );
  expect(() => read('example=acepted')).toThrow('It has accepted');
});
