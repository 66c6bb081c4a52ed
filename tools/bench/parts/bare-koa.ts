/** The baseline: Koa with the service's own body reader and a fixed response, and nothing else. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { readBody } from '../../../src/http/body/body.ts';
import { createBodyBudget } from '../../../src/http/body/body-budget.ts';
import { servePart } from './part.ts';

export type BareKoaCalls = { port: () => number };

const response = JSON.stringify({
  result: {
    type: 'SmsResponse',
    requestId: '5f0c6e0e-6f0b-4d53-9f0c-0a6c1c8f3f55',
    units: { Safaricom: 1, Airtel: 0 },
    addresses: { Safaricom: 1, Airtel: 0 },
  },
});

await servePart(async () => {
  const budget = createBodyBudget(Number.POSITIVE_INFINITY, 1);
  const app = new Koa();
  app.use(async (ctx) => {
    await readBody(ctx, ['application/json'], { json: budget, form: budget }, 'bench');
    ctx.type = 'application/json';
    ctx.body = response;
  });
  const server = createServer(app.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: () => (server.address() as AddressInfo).port };
});
