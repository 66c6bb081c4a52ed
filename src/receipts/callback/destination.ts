/** Which addresses a callback may reach: public unicast only, whatever spelling leads there. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface Destinations {
  /** Whether a socket may be connected to this IP address, written as a socket reports it. */
  addressAllowed: (address: string) => boolean;
  /** Why a URL is rejected before its name is looked up; undefined if it is not. */
  urlRefusal: (url: string) => string | undefined;
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Inside 2000::/3, and yet no public host: protocol assignments with Teredo, 6to4, documentation. */
const specialIPv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((block) =>
  ipaddr.IPv6.parseCIDR(block),
);

/** A cloud's metadata service at a public address; the others so that no table of a library decides alone. */
const specialIPv4 = [
  '168.63.129.16/32',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
].map((block) => ipaddr.IPv4.parseCIDR(block));

/** `allowLoopback` is for development: it lets callbacks reach this machine, and nothing else that is private. */
export function createDestinations({ allowLoopback }: { allowLoopback: boolean }): Destinations {
  const addressAllowed = (text: string): boolean => {
    if (isIP(text) === 0) return false;
    // `process` unwraps IPv4-mapped addresses.
    const address = ipaddr.process(text);
    if (address.range() === 'loopback') return allowLoopback;
    return address.kind() === 'ipv4'
      ? publicIPv4(address as ipaddr.IPv4)
      : publicIPv6(address as ipaddr.IPv6);
  };
  return {
    addressAllowed,
    urlRefusal: (url) => {
      if (!URL.canParse(url)) return 'not a URL';
      const { protocol, hostname, username, password } = new URL(url);
      if (protocol !== 'http:' && protocol !== 'https:') return 'not an http URL';
      if (username !== '' || password !== '') return 'user information in the URL';
      // The URL parser has turned every spelling of an IPv4 address into four decimals.
      const literal = hostname.replace(/^\[|\]$/g, '');
      return isIP(literal) !== 0 && !addressAllowed(literal) ? 'address not allowed' : undefined;
    },
  };
}

function publicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !specialIPv4.some((block) => address.match(block));
}

function publicIPv6(address: ipaddr.IPv6): boolean {
  return (
    address.range() === 'unicast' &&
    address.match(globalUnicast) &&
    !specialIPv6.some((block) => address.match(block))
  );
}
