/** The provider of a demo calls nothing but the service that it is part of. */
import { expect, test } from '@jest/globals';
import { withinService } from './trial-provider.ts';

test.each([
  ['http://127.0.0.1:3000/inbound/at/secret', 'http://127.0.0.1:4000/inbound/at/secret'],
  [
    'https://messages.example/inbound/kannel/secret?status=1',
    'http://127.0.0.1:4000/inbound/kannel/secret?status=1',
  ],
  ['http://10.0.0.1/inbound//10.0.0.2/', 'http://127.0.0.1:4000/inbound//10.0.0.2/'],
  ['http://10.0.0.1/inbound/../admin', undefined],
  ['http://10.0.0.1/latest/meta-data', undefined],
])('%s', (told, called) => {
  expect(withinService(new URL(told), 'http://127.0.0.1:4000')?.href).toBe(called);
});
