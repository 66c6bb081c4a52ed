/** Serves the OpenAPI document, in YAML and in JSON, and beside it the contract of the receipts. */
import { readFileSync } from 'node:fs';
import Router from '@koa/router';
import type { ContractDocument } from '../../contract/document.ts';

export function createDocumentRoutes(document: ContractDocument): Router {
  const router = new Router();
  // Encoded once: anybody may ask for them, as often as they like.
  const yaml = Buffer.from(document.text);
  let json: Buffer | undefined;

  router.get('/openapi.yaml', (ctx) => {
    ctx.type = 'application/yaml';
    ctx.body = yaml;
  });

  router.get('/openapi.json', (ctx) => {
    json ??= Buffer.from(JSON.stringify(document.published));
    ctx.type = 'application/json';
    ctx.body = json;
  });

  return router;
}

/** The AsyncAPI document of the receipts that clients get. */
export function createReceiptDocumentRoutes(): Router {
  const router = new Router();
  const text = readFileSync(new URL('../../../generated/asyncapi.yaml', import.meta.url));
  router.get('/asyncapi.yaml', (ctx) => {
    ctx.type = 'application/yaml';
    ctx.body = text;
  });
  return router;
}
