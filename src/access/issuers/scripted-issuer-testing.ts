/** An issuer on loopback that responds as a test says, and tokens signed by hand. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { errors } from '../../platform/errors.ts';
import { createIssuers } from './issuers.ts';
import { parseTrustedIssuers } from './trusted-issuer.ts';
import type { VerifyToken } from './verified-tokens.ts';

export const audience = 'tarishi';

export interface ScriptedIssuer {
  issuer: string;
  /** The paths that were asked for. */
  asked: string[];
  /** What it publishes. */
  keys: JWK[];
  /** Replaces its own response while it is set. */
  respond: RequestListener | undefined;
  stop: () => Promise<void>;
}

/** `path` follows host and port in its name. */
export async function startScriptedIssuer(path = ''): Promise<ScriptedIssuer> {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    one.asked.push(request.url ?? '');
    if (one.respond !== undefined) return one.respond(request, response);
    const metadata = { issuer: one.issuer, jwks_uri: `${origin}/keys` };
    response.end(JSON.stringify(request.url === '/keys' ? { keys: one.keys } : metadata));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const one: ScriptedIssuer = {
    issuer: origin + path,
    asked: [],
    keys: [],
    respond: undefined,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return one;
}

export interface Signer {
  published: JWK;
  sign: (claims: JWTPayload, header?: object) => Promise<string>;
}

export async function createSigner(kid: string): Promise<Signer> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  return {
    published: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' },
    sign: (claims, header = {}) => signed(claims, { alg: 'RS256', kid, ...header }, privateKey),
  };
}

/** Times that are valid now, unless `claims` say otherwise. */
export function signed(
  claims: JWTPayload,
  header: JWTHeaderParameters,
  key: CryptoKey | Uint8Array,
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ iat: now, exp: now + 600, aud: audience, ...claims })
    .setProtectedHeader(header)
    .sign(key);
}

/** Verifies tokens of one issuer, by a stopwatch that stands still until it is set. */
export function createScriptedVerify(
  { issuer }: ScriptedIssuer,
  settings: object = {},
): { verify: VerifyToken; reachability: boolean[]; stopwatch: { elapsedMs: number } } {
  const trusted = parseTrustedIssuers(JSON.stringify([{ issuer, audience, ...settings }]));
  if (typeof trusted === 'string') throw new Error(trusted);
  const stopwatch = { elapsedMs: 0 };
  const reachability: boolean[] = [];
  const verify = createIssuers(
    trusted,
    async () => {
      throw errors.invalidToken();
    },
    {
      clock: { now: () => Date.now(), elapsedMs: () => stopwatch.elapsedMs },
      onReachable: (_issuer, reachable) => reachability.push(reachable),
    },
  );
  return { verify, reachability, stopwatch };
}
