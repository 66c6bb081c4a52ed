/** Which hosts a front without credentials answers for: a web page can have a name of its own lead to this machine. */
import type { Logger } from 'pino';
import { parseAddress } from '../../access/address-list.ts';
import { shortened } from '../../platform/text/code-points.ts';

/** `host`: the address or name to listen on. Returns what is wrong with the Host headers of a request, if anything. */
export function createHostCheck(host: string): (headers: readonly string[]) => string | undefined {
  const own = canonical(host);
  const isWildcard = parseAddress(host)?.range() === 'unspecified';
  const accepts = (name: string) =>
    isLoopback(name) ||
    name === own ||
    (isWildcard && (parseAddress(name) !== undefined || !name.includes('.')));
  return (headers) => {
    const [header] = headers;
    if (header === undefined) return refusal('A request without a Host');
    if (headers.length > 1) return refusal('A request with several Hosts');
    const name = nameIn(header);
    return name !== undefined && accepts(name) ? undefined : refusal(`The Host ${shortened(header)}`);
  };
}

/** A front takes calls without credentials. */
export function warnOfNeighbours(logger: Logger, host: string): void {
  if (isLoopback(canonical(host))) return;
  logger.warn(
    { host },
    'whoever reaches this address needs no credentials of their own, and can have requests posted to loopback addresses of this machine',
  );
}

const refusal = (what: string) =>
  `${what} is refused: call 127.0.0.1 or localhost, or use --host to name another host.`;

/** Without its port; undefined where it is malformed. */
function nameIn(header: string): string | undefined {
  const [, literal, name] = /^(?:\[([\da-f]*:[\da-f:.]+)\]|([\w.-]+))(?::\d*)?$/i.exec(header) ?? [];
  if (literal !== undefined) return parseAddress(literal)?.toString();
  return name && canonical(name);
}

const canonical = (host: string) => parseAddress(host)?.toString() ?? host.toLowerCase();

const isLoopback = (host: string) => host === 'localhost' || parseAddress(host)?.range() === 'loopback';
