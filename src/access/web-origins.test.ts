/** Which web origins are listed: those of clients, read again after 5 s, and never the service's own. */
import { expect, test } from '@jest/globals';
import { testEvery } from '../platform/for-every-testing.ts';
import { createWebOrigins, isWebOrigin } from './web-origins.ts';

const shop = 'https://shop.example.com';
const own = 'https://sms.example.com';

test('an origin counts while a client lists it, and at most 5 s longer', async () => {
  const clock = { elapsed: 0, elapsedMs: () => clock.elapsed };
  let listed = [shop];
  const lists = createWebOrigins({ listWebOrigins: async () => listed }, `${own}/api`, clock);
  expect([await lists(shop), await lists('https://other.example.com')]).toEqual([true, false]);
  listed = [];
  expect(await lists(shop)).toBe(true);
  clock.elapsed = 5_001;
  expect(await lists(shop)).toBe(false);
});

test("a client that lists the service's own origin does not close its pages to other clients", async () => {
  const lists = createWebOrigins({ listWebOrigins: async () => [own] }, `${own}/api`, { elapsedMs: () => 0 });
  expect(await lists(own)).toBe(false);
});

testEvery([
  [shop, true],
  ['http://localhost:8080', true],
  [`${shop}/`, false],
  [`${shop}:443`, false],
  ['https://Shop.example.com', false],
  ['ftp://shop.example.com', false],
  ['shop.example.com', false],
  ['null', false],
  ['https://*.example', false],
])('%j is a web origin: %s', (text, expected) => {
  expect(isWebOrigin(text)).toBe(expected);
});
