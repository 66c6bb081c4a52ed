/** A page of another site controls no front that asks for no credentials; programs and its own pages do. */
import { expect } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { isFromOtherPage } from './other-pages.ts';

const host = 'localhost:4020';

testEvery([
  [{}, false],
  [{ 'sec-fetch-site': 'none' }, false],
  [{ 'sec-fetch-site': 'same-origin', origin: 'http://localhost:4020' }, false],
  [{ 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000' }, true],
  [{ 'sec-fetch-site': 'cross-site' }, true],
  [{ origin: 'http://LOCALHOST:4020' }, false],
  [{ origin: 'http://localhost:3000' }, true],
  [{ origin: 'https://shop.example' }, true],
  [{ origin: 'null' }, true],
])('%j: of another page %j', (headers, expected) => {
  expect(isFromOtherPage({ host, ...headers })).toBe(expected);
});
