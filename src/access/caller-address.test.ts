/** Tests where a request is taken to come from, with and without proxies. */
import { describe, expect, test } from '@jest/globals';
import { testEvery } from '../platform/for-every-testing.ts';
import { callerAddress } from './caller-address.ts';

const proxy = '10.0.0.1';

test('without trusted proxies the socket has the address, whatever the header says', () => {
  expect(callerAddress(proxy, '203.0.113.9', 0)).toBe(proxy);
});

describe('behind proxies the n-th entry from the right is the address', () => {
  testEvery([
    ['one proxy: a forged entry is further left', '198.51.100.1, 203.0.113.9', 1, '203.0.113.9'],
    ['two proxies', '198.51.100.1, 203.0.113.9, 10.0.0.2', 2, '203.0.113.9'],
    ['many spaces', '  203.0.113.9  ,\t10.0.0.2 ', 2, '203.0.113.9'],
    ['an empty entry counts', '203.0.113.9,,10.0.0.2', 3, '203.0.113.9'],
    ['IPv6', '2001:DB8:0::1', 1, '2001:db8::1'],
    ['IPv4-mapped IPv6', '::ffff:203.0.113.9', 1, '203.0.113.9'],
    ['IPv4 with a port', '203.0.113.9:4711', 1, '203.0.113.9'],
    ['IPv6 in brackets with a port', '[2001:db8::1]:4711', 1, '2001:db8::1'],
  ])('%s', (_rule, forwardedFor, trustedHops, expected) => {
    expect(callerAddress(proxy, forwardedFor, trustedHops)).toBe(expected);
  });
});

describe('behind proxies the address is unknown if the header does not have it', () => {
  testEvery([
    ['no header', undefined, 1],
    ['fewer entries than proxies: the leftmost may be forged', '203.0.113.9', 2],
    ['an empty entry', '203.0.113.9,,10.0.0.2', 2],
    ['an invalid entry', 'unknown', 1],
    ['an address in octal', '0313.0.113.9', 1],
  ])('%s', (_rule, forwardedFor, trustedHops) => {
    expect(callerAddress(proxy, forwardedFor, trustedHops)).toBeUndefined();
  });
});

describe('the socket address', () => {
  testEvery([
    ['is unwrapped when IPv4-mapped', '::ffff:203.0.113.9', '203.0.113.9'],
    ['stays IPv6 otherwise', '2001:db8::1', '2001:db8::1'],
    ['is passed on if it is not an address, such as that of a unix socket', '', ''],
  ])('%s', (_rule, socketAddress, expected) => {
    expect(callerAddress(socketAddress, undefined, 0)).toBe(expected);
  });
});
