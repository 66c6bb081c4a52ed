/** Which URLs a receipt can be posted to, and how the origins of those URLs are told apart. */
import { createHash } from 'node:crypto';
import { remembered } from '../../platform/concurrency/remembered.ts';
import { isHttpUrl } from '../../platform/text/url.ts';

const longestUrl = 2048;
/** RFC 1035, 2.3.4, without the dot at the end. */
const longestHost = 253;
const longestLabel = 63;

/** The longest origin that `originOf` returns: `https://`, a host with a dot at its end, `:65535`. */
export const longestOrigin = 8 + longestHost + 1 + 6;

/**
 * The origin of an absolute http or https URL, or undefined if no receipt can be posted to it. Looks at the host
 * as the URL parser writes it: nine characters of percent-encoding can become twenty of Punycode.
 */
export function originOf(url: string): string | undefined {
  if (url.length > longestUrl || !isHttpUrl(url)) return undefined;
  const { origin, hostname, port } = new URL(url);
  return isHost(hostname) && port !== '0' ? origin : undefined;
}

function isHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return true;
  const name = hostname.replace(/\.$/, '');
  return (
    name.length <= longestHost &&
    name.split('.').every((label) => label.length > 0 && label.length <= longestLabel)
  );
}

/** The key of an origin in the database and its indexes: a UUID made of the origin's hash. */
export function originKeyOf(origin: string): string {
  const hash = createHash('sha256').update(origin).digest('hex');
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The origin of a callback URL and its key; undefined if no receipt can be posted to it. */
export const callbackOriginOf = remembered(
  1_000,
  (url: string): { origin: string; originKey: string } | undefined => {
    const origin = originOf(url);
    return origin === undefined ? undefined : { origin, originKey: originKeyOf(origin) };
  },
);
