/** The servers that DATABASE_URL names: one, or several of which one at a time takes writes. */

const writable = 'read-write';

/**
 * A URL for each server of one in libpq's form, `postgres://user@first:5432,second:5432/name`; none if it is not such a
 * URL.
 */
export function serversIn(url: string): string[] {
  const scheme = ['postgres://', 'postgresql://'].find((one) => url.startsWith(one));
  if (scheme === undefined) return [];
  const rest = url.slice(scheme.length);
  const end = rest.search(/[/?#]/);
  const authority = end < 0 ? rest : rest.slice(0, end);
  const hostsAt = authority.lastIndexOf('@') + 1;
  const before = `${scheme}${authority.slice(0, hostsAt)}`;
  const after = rest.slice(authority.length);
  const urls = authority
    .slice(hostsAt)
    .split(',')
    .map((host) => `${before}${host}${after}`);
  return urls.every((one) => URL.canParse(one)) ? urls : [];
}

/** Whether they are known, and `target_session_attrs` asks for no others than those that take writes. */
export function canUse(url: string): boolean {
  const [first] = serversIn(url);
  return first !== undefined && [undefined, writable].includes(wantedOf(first));
}

/** Whether a server that takes no writes is left for another one. */
export function seeksWritable(servers: readonly string[]): boolean {
  return servers.length > 1 || servers.some((url) => wantedOf(url) === writable);
}

/** Which servers and which database, without user and password. */
export function placeOf(url: string): { user: string; place: string } {
  const urls = serversIn(url).map((one) => new URL(one));
  const [first] = urls;
  return {
    user: first?.username ?? '',
    place: `${urls.map(({ host }) => host).join(',')}${first?.pathname ?? ''}`,
  };
}

function wantedOf(url: string): string | undefined {
  return new URL(url).searchParams.get('target_session_attrs') ?? undefined;
}
