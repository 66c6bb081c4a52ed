/** Finds the IP address a request came from, past the proxies of the deployment. */
import { isIPv4 } from 'node:net';
import { parseAddress } from './address-list.ts';

/**
 * The socket's address; behind `trustedHops` proxies the one that the outermost of them saw: the n-th from the
 * right of X-Forwarded-For. What stands further left is the caller's own claim and never read. The socket's
 * address again when the header is missing, too short, or has no IP address there.
 */
export function callerAddress(
  socketAddress: string,
  forwardedFor: string | undefined,
  trustedHops: number,
): string {
  // The common case, on every request.
  if (trustedHops === 0 && isIPv4(socketAddress)) return socketAddress;
  const entry = trustedHops > 0 ? forwardedFor?.split(',').at(-trustedHops)?.trim() : undefined;
  const address = parseAddress(withoutPort(entry ?? '')) ?? parseAddress(socketAddress);
  return address?.toString() ?? socketAddress;
}

/** Some proxies write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  const written = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(entry);
  return written?.[1] ?? written?.[2] ?? entry;
}
