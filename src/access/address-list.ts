/** Decides whether an IP address is on a client's allow list. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.process>;
type Block = [network: Address, prefixBits: number];

const mappedPrefixBits = 96;

/**
 * Whether `address` is one of `allowed` (IPv4 or IPv6 addresses, or blocks in CIDR form); an empty list allows
 * every address, even an unknown one. IPv4-mapped IPv6 counts as IPv4 on both sides; malformed entries match nothing.
 */
export function addressAllowed(address: string | undefined, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true;
  const caller = parseAddress(address ?? '');
  if (caller === undefined) return false;
  return allowed.some((entry) => {
    const block = parseBlock(entry);
    return block !== undefined && block[0].kind() === caller.kind() && caller.match(block);
  });
}

/** The address with IPv4-mapped IPv6 (RFC 4291, 2.5.5.2) unwrapped; undefined when it is not an IP address. */
export function parseAddress(text: string): Address | undefined {
  // ipaddr.js alone also reads octal, hexadecimal and shortened IPv4, which other programs read differently.
  return isIP(text) !== 0 && ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

/** An address or a CIDR block; undefined for anything else. */
export function parseBlock(entry: string): Block | undefined {
  const [text = '', prefix, ...rest] = entry.split('/');
  const network = parseAddress(text);
  if (network === undefined || rest.length > 0) return undefined;

  const widthBits = isIP(text) === 4 ? 32 : 128;
  if (prefix !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefix)) return undefined;
  const writtenBits = prefix === undefined ? widthBits : Number(prefix);
  if (writtenBits > widthBits) return undefined;

  const unwrapped = widthBits === 128 && network.kind() === 'ipv4';
  const prefixBits = unwrapped ? writtenBits - mappedPrefixBits : writtenBits;
  return prefixBits < 0 ? undefined : [network, prefixBits];
}
