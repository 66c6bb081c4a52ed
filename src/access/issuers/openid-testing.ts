/** An independent OpenID Connect provider on loopback, for tests of tokens from other issuers. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
// @ts-expect-error not among its types
import MemoryAdapter from 'oidc-provider/lib/adapters/memory_adapter.js';

export interface OpenIdProvider {
  issuer: string;
  /** A token by client credentials, for this audience. */
  token: (request: { client: string; audience: string; scope?: string }) => Promise<string>;
  stop: () => Promise<void>;
}

const secret = 'a-secret-of-the-provider';

export async function startOpenIdProvider(clients: readonly string[]): Promise<OpenIdProvider> {
  const server = createServer((request, response) => void provider.callback()(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: randomUUID() };
  const provider = createProvider(issuer, clients, key);

  return {
    issuer,
    token: async ({ client, audience, scope = '' }) => {
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { Authorization: `Basic ${Buffer.from(`${client}:${secret}`).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', resource: audience, scope }),
      });
      const body = (await response.json()) as { access_token?: string };
      if (body.access_token === undefined) throw new Error(`no token: ${JSON.stringify(body)}`);
      return body.access_token;
    },
    stop: () => close(server),
  };
}

/** Its own class would warn that it is for development only. */
class Adapter extends MemoryAdapter {}

function createProvider(issuer: string, clients: readonly string[], key: object): Provider {
  return new Provider(issuer, {
    adapter: Adapter as never,
    clients: clients.map((id) => ({
      client_id: id,
      client_secret: secret,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      scope: scopes,
    })),
    jwks: { keys: [key as never] },
    scopes: scopes.split(' '),
    ttl: { ClientCredentials: 600 },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, audience) => ({
          audience,
          scope: scopes,
          accessTokenFormat: 'jwt',
        }),
      },
    },
  });
}

const scopes = 'message.sms.send.oneway reward.mobile-data.disburse message.chatapp.send';

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
