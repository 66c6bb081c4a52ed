/** Detects connections that would carry secrets and messages unencrypted, and describes them. */
import ipaddr from 'ipaddr.js';

interface HttpSettings {
  baseUrl: string;
  /** Allows http: to another machine, for private networks. */
  allowPlainHttp: boolean;
}

/** Rejects http: to another machine unless the settings allow it. */
export function plainHttpFault({ baseUrl, allowPlainHttp }: HttpSettings): string | undefined {
  if (!leavesInTheClear(baseUrl) || allowPlainHttp) return undefined;
  return 'setting "baseUrl" must be an https URL: over http anybody on the way can read the token; set "allowPlainHttp" to true to accept that';
}

export function plainHttpWarning({ baseUrl }: HttpSettings): string | undefined {
  return leavesInTheClear(baseUrl) ? 'sends its token and messages unencrypted over http' : undefined;
}

export function plainSmppWarning({ host, tls }: { host: string; tls: boolean }): string | undefined {
  return tls || host.split(',').every(isPrivateHost)
    ? undefined
    : 'sends its password and messages unencrypted to a host that may be public; set tls, or use a VPN and a private address';
}

function leavesInTheClear(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && rangeOf(hostname) !== 'loopback';
}

const privateRanges = ['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat'];

/** With a port or without one. */
function isPrivateHost(host: string): boolean {
  const name = host.trim();
  return privateRanges.includes(rangeOf(/^([^:]+|\[[^\]]+\]):\d+$/.exec(name)?.[1] ?? name));
}

/** Of a literal address, in brackets or not, in the words of ipaddr.js; a name could lead anywhere. */
function rangeOf(host: string): string {
  if (host.toLowerCase() === 'localhost') return 'loopback';
  const literal = host.startsWith('[') ? host.slice(1, -1) : host;
  return ipaddr.isValid(literal) ? ipaddr.process(literal).range() : 'unknown';
}
