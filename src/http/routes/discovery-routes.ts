/** Serves the discovery documents of OAuth: token keys and metadata. */
import Router from '@koa/router';
import type { Keyring } from '../../access/keyring.ts';
import { type ContractDocument, scopesOf } from '../../contract/document.ts';

export interface DiscoveryDependencies {
  keyring: Keyring;
  issuer: string;
  document: ContractDocument;
}

export function createDiscoveryRoutes({ keyring, issuer, document }: DiscoveryDependencies): Router {
  const scopes = scopesOf(document);
  const router = new Router();

  router.get('/.well-known/jwks.json', async (ctx) => {
    ctx.set('Cache-Control', 'public, max-age=300');
    ctx.body = (await keyring.current()).jwks;
  });

  // RFC 8414
  router.get('/.well-known/oauth-authorization-server', (ctx) => {
    ctx.body = {
      issuer,
      token_endpoint: `${issuer}/oauth/token`,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      scopes_supported: scopes,
      response_types_supported: [],
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    };
  });

  return router;
}
