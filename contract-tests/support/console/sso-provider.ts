/** An independent OpenID Connect provider on loopback, at which people sign in by their names alone. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
// @ts-expect-error not among its types
import MemoryAdapter from 'oidc-provider/lib/adapters/memory_adapter.js';
import type { Browser } from './browser.ts';

export interface SsoProvider {
  issuer: string;
  clientSecret: string;
  /** Knows the console from now on. */
  register: (consoleUrl: string) => void;
  /** As `person`; returns where the provider sends the browser back. */
  signIn: (browser: Browser, url: string, person: string) => Promise<string>;
  stop: () => Promise<void>;
}

/** Its own class would warn that it is for development only. */
class Adapter extends MemoryAdapter {}

const loginPath = '/login/';

/** The address of a person whose name begins with `unverified` is one that the provider has not verified. */
export async function startSsoProvider(): Promise<SsoProvider> {
  const clientSecret = 'a-secret-of-the-provider';
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: '1' };
  let provider: Provider | undefined;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const accountId = searchParams.get('person');
    if (pathname.startsWith(loginPath) && accountId !== null)
      void provider?.interactionFinished(request, response, { login: { accountId } });
    else void provider?.callback()(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    clientSecret,
    register: (consoleUrl) => {
      provider = new Provider(issuer, {
        adapter: Adapter as never,
        clients: [
          {
            client_id: 'tarishi',
            client_secret: clientSecret,
            redirect_uris: [`${consoleUrl}/console/sign-in/sso/done`],
            post_logout_redirect_uris: [`${consoleUrl}/console/sign-in?signed-out`],
          },
        ],
        jwks: { keys: [key as never] },
        cookies: { keys: ['of a test'] },
        ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_context, { uid }) => `${loginPath}${uid}` },
        pkce: { required: () => true },
        claims: { openid: ['sub'], email: ['email', 'email_verified'] },
        findAccount: (_context, id) => ({
          accountId: id,
          claims: () => ({
            sub: id,
            email: `${id}@example.com`,
            email_verified: !id.startsWith('unverified'),
          }),
        }),
        // Nobody is asked whether the console may know them.
        loadExistingGrant: async ({ oidc }) => {
          const clientId = oidc.client?.clientId;
          const accountId = oidc.session?.accountId;
          if (clientId === undefined || accountId === undefined) return undefined;
          const grant = new oidc.provider.Grant({ clientId, accountId });
          grant.addOIDCScope('openid email');
          await grant.save();
          return grant;
        },
      });
    },
    signIn: async (browser, url, person) => {
      let shown = await browser.go(url);
      while (shown.next?.startsWith(issuer)) {
        const asks = new URL(shown.next).pathname.startsWith(loginPath);
        shown = await browser.go(asks ? `${shown.next}?person=${person}` : shown.next);
      }
      if (shown.next === undefined) throw new Error(`${shown.status} ${shown.text}`);
      return shown.next;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
