/** Names of browsers, from headers as they send them. */
import { expect } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { browserName } from './browser-name.ts';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

testEvery([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0`,
    'Edge on Windows',
  ],
  [`Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/142.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  ['curl/8.5.0', 'Another program'],
  ['', 'Another program'],
])('%s', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});
