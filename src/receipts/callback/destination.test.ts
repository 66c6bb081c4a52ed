/** Which addresses and URLs a callback may reach, at the edges of every block. */
import { describe, expect } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { ownHosts, privateHosts } from '../testing.ts';
import { createDestinations } from './destination.ts';

const production = createDestinations({ allowLoopback: false });
const development = createDestinations({ allowLoopback: true });

describe('an allowed address', () => {
  testEvery([
    ['an IPv4 host', '8.8.8.8'],
    ['below 10/8', '9.255.255.255'],
    ['above 10/8', '11.0.0.0'],
    ['below CGNAT', '100.63.255.255'],
    ['above CGNAT', '100.128.0.0'],
    ['below 127/8', '126.255.255.255'],
    ['above 127/8', '128.0.0.0'],
    ['below link-local', '169.253.255.255'],
    ['above link-local', '169.255.0.0'],
    ['below 172.16/12', '172.15.255.255'],
    ['above 172.16/12', '172.32.0.0'],
    ['above 192.0.0/24', '192.0.1.0'],
    ['below 192.168/16', '192.167.255.255'],
    ['above 192.168/16', '192.169.0.0'],
    ['above benchmarking', '198.20.0.0'],
    ['below multicast', '223.255.255.255'],
    ['beside 168.63.129.16', '168.63.129.17'],
    ['an IPv6 host', '2606:4700:4700::1111'],
    ['the first of global unicast behind 2001::/23', '2001:200::'],
    ['the last of global unicast', '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['above 6to4', '2003::1'],
    ['above IPv6 documentation', '2001:db9::1'],
    ['above the newer documentation block', '3fff:1000::1'],
    ['a mapped IPv4 host', '::ffff:8.8.8.8'],
  ])('%s', (_rule, address) => {
    expect(production.addressAllowed(address)).toBe(true);
  });
});

describe('a forbidden address', () => {
  testEvery([
    ['first of 0/8', '0.0.0.0'],
    ['last of 0/8', '0.255.255.255'],
    ['first of 10/8', '10.0.0.0'],
    ['first of CGNAT', '100.64.0.0'],
    ['first of 127/8', '127.0.0.0'],
    ['last of 127/8', '127.255.255.255'],
    ['first of link-local', '169.254.0.0'],
    ['last of link-local', '169.254.255.255'],
    ['first of 172.16/12', '172.16.0.0'],
    ['protocol assignments', '192.0.0.255'],
    ['documentation', '192.0.2.1'],
    ['documentation, second block', '198.51.100.1'],
    ['documentation, third block', '203.0.113.255'],
    ['AS112', '192.31.196.1'],
    ['AMT', '192.52.193.1'],
    ['first of 192.168/16', '192.168.0.0'],
    ['last of 192.168/16', '192.168.255.255'],
    ['benchmarking', '198.19.255.255'],
    ['multicast', '224.0.0.0'],
    ['reserved', '240.0.0.0'],
    ['below global unicast', '1fff:ffff::1'],
    ['above global unicast', '4000::1'],
    ['2001::/23, its end', '2001:1ff:ffff::1'],
    ['Teredo', '2001::1'],
    ['ORCHID', '2001:20::1'],
    ['AS112 over IPv6', '2620:4f:8000::1'],
    ['6to4', '2002:808:808::1'],
    ['IPv6 documentation', '2001:db8:ffff::1'],
    ['the newer documentation block, its end', '3fff:fff:ffff::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['mapped with a zone', '::ffff:127.0.0.1%lo'],
    ['a name', 'example.com'],
    ['empty', ''],
    ['a spelling that no socket reports', '0x8.8.8.8'],
    ['a number', '134744072'],
    ['brackets', '[2606:4700:4700::1111]'],
  ])('%s', (_rule, address) => {
    expect(production.addressAllowed(address)).toBe(false);
  });
});

describe('the development switch', () => {
  testEvery([
    ['127.0.0.1', true],
    ['127.255.255.254', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['::7f00:1', false],
    ['64:ff9b::7f00:1', false],
    ['10.0.0.1', false],
    ['169.254.169.254', false],
    ['192.168.0.1', false],
    ['fe80::1', false],
  ])('each says why: %s: %s', (address, allowed) => {
    expect(development.addressAllowed(address)).toBe(allowed);
  });
});

describe('a URL that is rejected without a look-up', () => {
  testEvery([...ownHosts, ...privateHosts])('each says why: %s: %s', (_rule, host) => {
    expect(production.urlRefusal(`http://${host}:8080/path`)).toBe('address not allowed');
    expect(production.urlRefusal(`https://${host}/`)).toBe('address not allowed');
  });

  testEvery([
    ['not a URL', 'not a URL', '/relative'],
    ['a host that is neither an address nor a name', 'not a URL', 'http://256.256.256.256/'],
    ['a zone', 'not a URL', 'http://[fe80::1%25eth0]/'],
    ['another scheme', 'not an http URL', 'ftp://example.com/'],
    ['a file', 'not an http URL', 'file:///etc/passwd'],
    ['user information', 'user information in the URL', 'https://user:secret@example.com/'],
    ['a host before an at sign', 'user information in the URL', 'https://example.com@127.0.0.1/'],
  ])('%s', (_rule, reason, url) => {
    expect(production.urlRefusal(url)).toBe(reason);
  });

  testEvery([
    ['a name', 'https://example.com/receipts?a=b'],
    ['a name is looked up before it is judged', 'http://localhost/'],
    ['a name that reads like hexadecimal', 'http://cafe/'],
    ['a public IPv4 address', 'http://8.8.8.8:8080/'],
    ['a public IPv6 address', 'http://[2606:4700:4700::1111]/'],
  ])('not rejected: %s', (_rule, url) => {
    expect(production.urlRefusal(url)).toBeUndefined();
  });
});
