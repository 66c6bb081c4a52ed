/** Serves the OpenAPI document, in YAML and in JSON, and beside it the contract of the receipts. */
import { readFileSync } from 'node:fs';
import Router from '@koa/router';
import type { ContractDocument } from '../contract/document.ts';

export function createDocumentRoutes(document: ContractDocument): Router {
  const router = new Router();
  // Written once: anybody may ask for it, as often as they like.
  let json: string | undefined;

  router.get('/openapi.yaml', (ctx) => {
    ctx.type = 'application/yaml';
    ctx.body = document.text;
  });

  router.get('/openapi.json', (ctx) => {
    json ??= JSON.stringify(document.published);
    ctx.type = 'application/json';
    ctx.body = json;
  });

  return router;
}

/** The AsyncAPI document of the receipts that clients get. */
export function createReceiptDocumentRoutes(): Router {
  const router = new Router();
  const text = readFileSync(new URL('../../../spec/asyncapi.yaml', import.meta.url), 'utf8');
  router.get('/asyncapi.yaml', (ctx) => {
    ctx.type = 'application/yaml';
    ctx.body = text;
  });
  return router;
}
