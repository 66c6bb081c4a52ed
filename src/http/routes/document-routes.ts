/** Serves the OpenAPI document, in YAML and in JSON. */
import Router from '@koa/router';
import type { ContractDocument } from '../contract/document.ts';

export function createDocumentRoutes(document: ContractDocument): Router {
  const router = new Router();

  router.get('/openapi.yaml', (ctx) => {
    ctx.type = 'application/yaml';
    ctx.body = document.text;
  });

  router.get('/openapi.json', (ctx) => {
    ctx.body = document.published;
  });

  return router;
}
