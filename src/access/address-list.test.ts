/** Tests which addresses an allow list accepts. */
import { describe, expect } from '@jest/globals';
import { testEvery } from '../platform/for-every-testing.ts';
import { addressAllowed } from './address-list.ts';

describe('the list allows the address', () => {
  testEvery([
    ['empty list: any address', '203.0.113.9', []],
    ['empty list: even an invalid address', 'unix', []],
    ['an entry after a malformed one', '203.0.113.9', ['nonsense', '203.0.113.9']],
    ['first of an IPv4 block', '10.1.0.0', ['10.1.0.0/16']],
    ['last of an IPv4 block', '10.1.255.255', ['10.1.0.0/16']],
    ['a block written with host bits', '10.1.2.3', ['10.1.9.9/16']],
    ['all of IPv4', '203.0.113.9', ['0.0.0.0/0']],
    ['the same IPv6 address in another spelling', '2001:db8::1', ['2001:0DB8:0:0::0001']],
    ['an IPv6 block', '2001:db8:1:2::9', ['2001:db8:1::/48']],
    ['an IPv4-mapped caller', '::ffff:203.0.113.9', ['203.0.113.9']],
    ['an IPv4-mapped entry', '203.0.113.9', ['::ffff:203.0.113.9']],
    ['an IPv4-mapped block', '203.0.113.9', ['::ffff:203.0.113.0/120']],
    ['a link-local caller with a zone', 'fe80::1%eth0', ['fe80::/10']],
  ])('%s', (_rule, address, allowed) => {
    expect(addressAllowed(address, allowed)).toBe(true);
  });
});

describe('the list refuses the address', () => {
  testEvery([
    ['one below an IPv4 block', '10.0.255.255', ['10.1.0.0/16']],
    ['one above an IPv4 block', '10.2.0.0', ['10.1.0.0/16']],
    ['outside an IPv6 block', '2001:db8:2::1', ['2001:db8:1::/48']],
    ['IPv4 against all of IPv6', '203.0.113.9', ['::/0']],
    ['IPv6 against all of IPv4', '2001:db8::1', ['0.0.0.0/0']],
    ['outside an IPv4-mapped block', '203.0.114.1', ['::ffff:203.0.113.0/120']],
    ['an invalid caller', 'unix', ['0.0.0.0/0', '::/0']],
    ['a caller in octal', '0313.0.113.9', ['203.0.113.9']],
  ])('%s', (_rule, address, allowed) => {
    expect(addressAllowed(address, allowed)).toBe(false);
  });
});

describe('a malformed entry matches nothing', () => {
  testEvery([
    '',
    'example.com',
    '10.1/16',
    '012.1.2.3',
    '10.1.2.3/33',
    '10.1.2.3/ 8',
    '10.1.2.3/8/8',
    '10.1.2.3/08',
    '::ffff:10.1.2.3/90',
  ])('%j', (entry) => {
    expect(addressAllowed('10.1.2.3', [entry])).toBe(false);
  });
});
