/** Opens connections for callbacks, and only to addresses that a callback may reach. */
import { Resolver } from 'node:dns/promises';
import { connect as connectTcp, type Socket } from 'node:net';
import { buildConnector, errors } from 'undici';
import type { Destinations } from './destination.ts';

export interface LookedUp {
  address: string;
  family: number;
}

export type Lookup = (
  hostname: string,
  options: object,
  callback: (error: Error | null, addresses: LookedUp[]) => void,
) => void;

/** Callbacks may not reach the address. */
export class DestinationRefused extends Error {}

/** The name does not resolve, or not in time. */
export class NameNotResolved extends Error {}

export interface ConnectorOptions {
  destinations: Destinations;
  /** For TCP and TLS together. */
  timeoutMs: number;
  lookup: Lookup;
}

/**
 * Judges every address of a name, and the peer before anything is written to it: IP literals are never looked up.
 * The checked addresses are the ones connected to, so changing the name's address gains nothing.
 */
export function createGuardedConnector(options: ConnectorOptions): buildConnector.connector {
  const { destinations, timeoutMs } = options;
  const lookup = guardedLookup(options);
  // HTTP/2 would bring limits of its own.
  const secure = buildConnector({ allowH2: false, timeout: timeoutMs });
  return (target, callback) => {
    const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80));
    const socket = connectTcp({
      host: target.hostname,
      port,
      lookup: lookup as never,
      autoSelectFamily: true,
      noDelay: true,
    });
    let settled = false;
    const settle: buildConnector.Callback = (...result) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      if (result[0] !== null) socket.destroy();
      callback(...result);
    };
    const timer = setTimeout(() => settle(new errors.ConnectTimeoutError(), null), timeoutMs);
    // Stays for good: a socket that failed may report more than one error.
    socket.on('error', (error) => settle(error, null));
    socket.once('connect', () => {
      const fault = faultOfPeer(socket, destinations);
      if (fault !== undefined) return settle(fault, null);
      if (target.protocol === 'https:') return secure({ ...target, httpSocket: socket }, settle);
      return settle(null, socket);
    });
  };
}

function faultOfPeer({ remoteAddress }: Socket, destinations: Destinations): Error | undefined {
  // A peer that has already hung up has no address any more.
  if (remoteAddress === undefined)
    return Object.assign(new Error('The peer hung up.'), { code: 'ECONNRESET' });
  return destinations.addressAllowed(remoteAddress) ? undefined : new DestinationRefused();
}

function guardedLookup({ destinations, lookup }: ConnectorOptions): Lookup {
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, found) => {
      if (error !== null || found.length === 0) return callback(new NameNotResolved(), []);
      const addresses = found.map(({ address, family }) => ({ address, family }));
      return addresses.every(({ address }) => destinations.addressAllowed(address))
        ? callback(null, addresses)
        : callback(new DestinationRefused(), []);
    });
}

const loopbackAddresses: readonly LookedUp[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Queries the name servers directly: the system's own look-up blocks one of few threads while a server is slow, and
 * the database's connections and files need those threads. It ignores the hosts file.
 */
export function createLookup(): Lookup {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  return (hostname, _options, callback) => {
    // RFC 6761, 6.3: this name is never looked up.
    if (/(?:^|\.)localhost\.?$/i.test(hostname)) return callback(null, [...loopbackAddresses]);
    const answers = [resolver.resolve4(hostname), resolver.resolve6(hostname)] as const;
    return Promise.allSettled(answers).then(([v4, v6]) =>
      callback(null, [...addressesOf(v4, 4), ...addressesOf(v6, 6)]),
    );
  };
}

function addressesOf(answer: PromiseSettledResult<string[]>, family: number): LookedUp[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}
