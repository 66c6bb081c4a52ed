/** What is served beside the contract: health, metrics, and the documents that clients and tools look up. */
import Router from '@koa/router';
import type { Registry } from 'prom-client';
import type { TokenKeys } from '../clients/keys.ts';
import { type ContractDocument, scopesOf } from './document.ts';

export interface OperatorDependencies {
  registry: Registry;
  keys: TokenKeys;
  issuer: string;
  document: ContractDocument;
  /** Rejects when the service cannot take requests now. */
  checkReady: () => Promise<void>;
}

export function createOperatorRoutes(dependencies: OperatorDependencies): Router {
  const { registry, keys, issuer, document, checkReady } = dependencies;
  const scopes = scopesOf(document);
  const router = new Router();

  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });

  router.get('/readyz', async (ctx) => {
    try {
      await checkReady();
      ctx.body = { status: 'ready' };
    } catch (error) {
      ctx.status = 503;
      ctx.body = { status: 'not ready', reason: error instanceof Error ? error.message : 'unknown' };
    }
  });

  router.get('/metrics', async (ctx) => {
    ctx.type = registry.contentType;
    ctx.body = await registry.metrics();
  });

  router.get('/.well-known/jwks.json', (ctx) => {
    ctx.set('Cache-Control', 'public, max-age=300');
    ctx.body = keys.jwks;
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

  router.get('/openapi.yaml', (ctx) => {
    ctx.type = 'application/yaml';
    ctx.body = document.text;
  });

  router.get('/openapi.json', (ctx) => {
    ctx.body = document.published;
  });

  return router;
}
