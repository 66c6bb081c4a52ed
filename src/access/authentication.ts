/** Authenticates and authorises a request: bearer token, client, address, scope. */

import type { Stopwatch } from '../platform/clock.ts';
import { cached } from '../platform/concurrency/cache.ts';
import { errors } from '../platform/errors.ts';
import { addressAllowed } from './address-list.ts';
import type { Caller, Client } from './client.ts';
import type { VerifyToken } from './issuers/verified-tokens.ts';

export type FindClient = (id: string) => Promise<Client | undefined>;

/** The credentials and the origin of a request. */
export interface Credentials {
  /** The Authorization header. */
  authorization: string | undefined;
  /** The IP address of the caller; undefined: it is unknown. */
  address: string | undefined;
  /** Called where verifying the token costs something; it may throw. */
  beforeVerifying?: () => void;
  /** The scope that the operation needs; undefined: none. */
  scope: string | undefined;
  /** The web origin of the page that calls, where any client lists it. */
  webOrigin?: string | undefined;
}

export interface Authentication {
  /** Rejects with a 401 or 403 of the catalogue. */
  authenticate(credentials: Credentials): Promise<Caller>;
}

/** How long a client that was disabled, or a token that was revoked, may go on. */
const clientLifetimeMs = 5_000;
const cacheLimitClients = 10_000;

export function createAuthentication(dependencies: {
  verifyToken: VerifyToken;
  findClient: FindClient;
  clock: Stopwatch;
}): Authentication {
  const { verifyToken, clock } = dependencies;
  // A token issued since the last revocation looks its client up again, so that a client that was enabled again works
  // at once.
  const findClient = cached((id: string, _validFrom: string) => dependencies.findClient(id), {
    lifetimeMs: clientLifetimeMs,
    limitEntries: cacheLimitClients,
    clock,
  });

  return {
    async authenticate({ authorization, address, scope, webOrigin, beforeVerifying }) {
      const token = bearerToken(authorization);
      if (token === undefined) throw errors.missingToken();
      const granted = await verifyToken(token, beforeVerifying);
      const client = await findClient(granted.clientId, String(granted.validFromMs));
      // A trusted issuer can only name its own clients.
      if (client === undefined || client.issuer !== granted.issuer)
        throw errors.invalidToken('unknown-client');

      if (!client.enabled) throw errors.clientDisabled();
      if (granted.validFromMs < client.tokensValidFromMs) throw errors.invalidToken('revoked');
      if (!addressAllowed(address, client.allowedAddresses)) throw errors.addressNotAllowed();
      // The preflight came before the client was known.
      if (webOrigin !== undefined && !client.webOrigins.includes(webOrigin))
        throw errors.webOriginNotAllowed();
      const isGranted = (name: string) => granted.scopes.includes(name);
      if (scope !== undefined && !(client.scopes.includes(scope) && isGranted(scope)))
        throw errors.missingScope(scope);
      return {
        clientId: client.id,
        teamId: client.teamId,
        // There are dozens, and few operations look at others than the one that they need.
        get scopes() {
          return client.scopes.filter(isGranted);
        },
      };
    },
  };
}

/** RFC 6750, 2.1; the scheme in any case (RFC 9110, 11.1). */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S.*)$/i.exec(authorization ?? '')?.[1];
}
