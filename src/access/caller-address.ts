/** Finds the IP address a request came from, past the proxies of the deployment. */
import { isIPv4 } from 'node:net';
import { parseAddress } from './address-list.ts';

/**
 * The socket's address; behind `trustedHops` proxies the one that the outermost of them saw: the n-th entry from
 * the right of X-Forwarded-For. Entries further left are claims of the caller and are never read. Undefined when the
 * header is missing, too short, or has no IP address there: then the request did not come through the proxies.
 */
export function callerAddress(
  socketAddress: string,
  forwardedFor: string | undefined,
  trustedHops: number,
): string | undefined {
  if (trustedHops > 0) {
    const entry = forwardedFor?.split(',').at(-trustedHops)?.trim() ?? '';
    return parseAddress(withoutPort(entry))?.toString();
  }
  // The common case, on every request.
  if (isIPv4(socketAddress)) return socketAddress;
  return parseAddress(socketAddress)?.toString() ?? socketAddress;
}

/** Some proxies write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  const written = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(entry);
  return written?.[1] ?? written?.[2] ?? entry;
}
