/** Signs people in with an OpenID Connect provider: authorization code with PKCE, state and nonce. */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  ClientSecretBasic,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import type { Stopwatch } from '../../platform/clock.ts';
import { createExpiringMap } from '../../platform/concurrency/expiring-map.ts';
import { own } from '../../platform/text/own.ts';
import { isStorable } from '../../platform/text/printable.ts';
import { consolePath } from '../path.ts';

export interface SsoSettings {
  issuer: string;
  clientId: string;
  /** Undefined: a public client. */
  clientSecret: string | undefined;
  /** The claim that holds the `ssoName` of a user. */
  userClaim: string;
}

/** What the browser keeps while the person is at the provider. */
export interface Attempt {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface Sso {
  /** The provider, for people. */
  name: string;
  /** Where to send the browser. Rejects if the provider does not respond. */
  begin: () => Promise<{ url: string; attempt: Attempt }>;
  /** What the provider calls the person. Undefined: it does not say so in the claim. Rejects if anything is wrong. */
  finish: (query: string, attempt: Attempt) => Promise<string | undefined>;
  /** Where the person signs out of the provider, too; undefined if that is not offered. */
  signOutUrl: () => Promise<string | undefined>;
}

export interface SsoDependencies {
  settings: SsoSettings;
  /** Where people reach the console. */
  consoleUrl: string;
  clock: Stopwatch;
}

/** Below the address of the listener. */
const callbackPath = `${consolePath}/sign-in/sso/done`;
const signedOutPath = `${consolePath}/sign-in?signed-out`;

const metadataMs = 3_600_000;
const timeoutSeconds = 5;

export function createSso({ settings, consoleUrl, clock }: SsoDependencies): Sso {
  const { issuer, clientId, clientSecret, userClaim } = settings;
  const known = createExpiringMap<Promise<Configuration>>(1, clock);
  const redirectUri = `${consoleUrl}${callbackPath}`;

  /** Read again after an hour, and after a failure. */
  const configuration = () => {
    const found = known.get(issuer);
    if (found !== undefined) return found;
    const reading = discovery(
      new URL(issuer),
      clientId,
      undefined,
      clientSecret === undefined ? None() : ClientSecretBasic(clientSecret),
      {
        timeout: timeoutSeconds,
        // Plain HTTP is for a provider on this machine: the settings take no other.
        execute: [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])],
      },
    );
    known.set(issuer, reading, metadataMs);
    reading.catch(() => known.drop(issuer, reading));
    return reading;
  };

  return {
    name: new URL(issuer).host,

    begin: async () => {
      const attempt = {
        state: randomState(),
        nonce: randomNonce(),
        codeVerifier: randomPKCECodeVerifier(),
      };
      const url = buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: scopeFor(userClaim),
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await calculatePKCECodeChallenge(attempt.codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, attempt };
    },

    finish: async (query, { state, nonce, codeVerifier }) => {
      const config = await configuration();
      const tokens = await authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) return undefined;
      const inToken = nameIn(claims, userClaim);
      if (inToken !== undefined || config.serverMetadata().userinfo_endpoint === undefined) return inToken;
      return nameIn(await fetchUserInfo(config, tokens.access_token, claims.sub), userClaim);
    },

    signOutUrl: async () => {
      const config = await configuration();
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined;
      return buildEndSessionUrl(config, { post_logout_redirect_uri: `${consoleUrl}${signedOutPath}` }).href;
    },
  };
}

function scopeFor(claim: string): string {
  if (claim === 'sub') return 'openid';
  return claim === 'email' ? 'openid email' : 'openid profile';
}

/** An address that the provider has not verified may be anybody's. */
function nameIn(claims: Readonly<Record<string, unknown>>, claim: string): string | undefined {
  if (claim === 'email' && own(claims, 'email_verified') !== true) return undefined;
  const value: unknown = own(claims, claim);
  // Nobody here has a name that no database holds.
  return typeof value === 'string' && value !== '' && isStorable(value) ? value : undefined;
}
