/** The public keys of a trusted issuer: read when they are needed, and kept while the issuer cannot be reached. */
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey, errors as jose } from 'jose';
import { request } from 'undici';
import type { Stopwatch } from '../../platform/clock.ts';
import { isHttpUrl } from '../../platform/text/url.ts';
import type { TrustedIssuer } from './trusted-issuer.ts';

export interface IssuerKeysDependencies {
  clock: Stopwatch;
  /** Called once when an issuer's keys cannot be read, and once when they can be read again. */
  onReachable: (issuer: string, reachable: boolean, reason?: string) => void;
  /** The shortest time between two reads, whatever the tokens say and whether the issuer responds or not. */
  pauseMs?: number;
}

const defaultPauseMs = 5_000;
/** For metadata and keys together: a token that needs them waits this long. */
const timeoutMs = 3_000;
/** Keys that are older are read again, while they are still used. */
const freshMs = 600_000;
/** Keys that are older are not used: the issuer may have withdrawn them long ago. */
const usableMs = 3_600_000;
const documentLimitBytes = 262_144;

interface Keys {
  find: JWTVerifyGetKey;
  readAtMs: number;
}

export function createIssuerKeys(
  trusted: TrustedIssuer,
  { clock, onReachable, pauseMs = defaultPauseMs }: IssuerKeysDependencies,
): JWTVerifyGetKey {
  let keys: Keys | undefined;
  let reading: Promise<void> | undefined;
  let lastReadMs = Number.NEGATIVE_INFINITY;
  let reachable = true;

  const note = (now: boolean, reason?: string) => {
    if (now !== reachable) onReachable(trusted.issuer, now, reason);
    reachable = now;
  };
  const read = async () => {
    try {
      const set = await readKeySet(trusted);
      keys = { find: createLocalJWKSet(set), readAtMs: clock.elapsedMs() };
      note(true);
    } catch (error) {
      note(false, reasonOf(error));
    }
    lastReadMs = clock.elapsedMs();
    reading = undefined;
  };
  /** Never rejects. All tokens that wait share one read: anybody can name an issuer and an unknown key. */
  const refresh = async () => {
    if (reading === undefined && clock.elapsedMs() - lastReadMs >= pauseMs) reading = read();
    await reading;
  };
  const usable = () => {
    if (keys === undefined || clock.elapsedMs() - keys.readAtMs >= usableMs)
      throw new Error('the keys of the issuer are not known');
    return keys;
  };

  return async (header, token) => {
    const ageMs = keys === undefined ? Number.POSITIVE_INFINITY : clock.elapsedMs() - keys.readAtMs;
    if (ageMs >= usableMs) await refresh();
    else if (ageMs >= freshMs) void refresh();
    try {
      return await usable().find(header, token);
    } catch (error) {
      if (!(error instanceof jose.JWKSNoMatchingKey)) throw error;
      await refresh();
      return await usable().find(header, token);
    }
  };
}

/** From the address in the settings, or from the one in the metadata (OpenID Connect Discovery 1.0, 4). */
async function readKeySet({ issuer, jwksUrl }: TrustedIssuer): Promise<JSONWebKeySet> {
  const signal = AbortSignal.timeout(timeoutMs);
  if (jwksUrl !== undefined) return (await readJson(jwksUrl, signal)) as unknown as JSONWebKeySet;
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const { issuer: named, jwks_uri: uri } = await readJson(address, signal);
  if (named !== issuer) throw new Error(`${address} names another issuer`);
  if (typeof uri !== 'string' || !isHttpUrl(uri)) throw new Error(`${address} has no valid jwks_uri`);
  return (await readJson(uri, signal)) as unknown as JSONWebKeySet;
}

/** A JSON object of bounded size. Redirects are not followed. */
async function readJson(address: string, signal: AbortSignal): Promise<Record<string, unknown>> {
  const { statusCode, body } = await request(address, { signal, headers: { accept: 'application/json' } });
  if (statusCode !== 200) {
    // Destroying it is an error of its own.
    body.on('error', () => {}).destroy();
    throw new Error(`${address} responded with ${statusCode}`);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    // Leaving the loop ends the connection.
    if (size > documentLimitBytes) throw new Error(`${address} is larger than ${documentLimitBytes} bytes`);
    chunks.push(chunk);
  }
  const document = parseJson(Buffer.concat(chunks).toString());
  if (document === null || typeof document !== 'object') throw new Error(`${address} is not a JSON object`);
  return document as Record<string, unknown>;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
