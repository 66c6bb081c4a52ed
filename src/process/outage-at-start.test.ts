/** A process that starts waits for its database, whichever of its statements finds it away or read-only. */
import { randomBytes } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { publishedScripts } from '../connectors/simulators/published-scripts.ts';
import { connectionLimit } from '../http/bounds.ts';
import { listen } from '../http/connections/listener.ts';
import { createReadiness } from '../http/readiness.ts';
import { systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/db/knex.ts';
import { testDatabase } from '../platform/db/opened-testing.ts';
import { createQueue } from '../queue/queue.ts';
import { createCallbackClient } from '../receipts/callback/client.ts';
import { createDestinations } from '../receipts/callback/destination.ts';
import { readConfig } from './config.ts';
import { type ProcessContext, paceFor, type Running } from './context.ts';
import { createEvents } from './events.ts';
import { openSecrets } from './secret-key.ts';
import { startApi } from './serve.ts';
import { startWorker } from './worker/work.ts';

const config = { ...readConfig({}), secretKey: randomBytes(32).toString('base64') };
const outage = () =>
  Object.assign(new Error('cannot execute INSERT in a read-only transaction'), { code: '25006' });

/** Has the nth statement from now on fail; returns whether it has come to that. */
function failAt(nth: number, { knex }: Database): () => boolean {
  const { client } = knex as unknown as { client: { acquireConnection: () => Promise<unknown> } };
  const acquire = client.acquireConnection.bind(client);
  let asked = 0;
  client.acquireConnection = async () => {
    asked += 1;
    if (asked === nth) throw outage();
    return acquire();
  };
  return () => {
    client.acquireConnection = acquire;
    return asked >= nth;
  };
}

const database = testDatabase();
let registry: Registry;
let context: ProcessContext;
/** Warnings, by the log. */
let said: string[];

beforeEach(async () => {
  said = [];
  const logger = pino({ level: 'warn' }, { write: (line) => said.push(JSON.parse(line).msg) });
  registry = new Registry();
  context = {
    config,
    clock: systemClock,
    logger,
    database,
    queue: createQueue(database.knex),
    secrets: await openSecrets(config, database.knex),
    registry,
    events: createEvents(registry, logger),
    readiness: createReadiness(systemClock),
    pace: paceFor(database, logger),
  };
});

const parts: Record<string, () => Promise<Running>> = {
  worker: () => {
    const callbacks = createCallbackClient({ destinations: createDestinations({ allowLoopback: true }) });
    return startWorker(context, { scripts: publishedScripts, callbacks }, () => false);
  },
  api: async () => {
    const clients = await listen({ host: '127.0.0.1', port: 0, connectionLimit });
    const wake = { delivery: () => {}, receipts: () => {} };
    return startApi(context, { clients, publicUrl: 'http://127.0.0.1' }, { wake });
  },
};

test.each(Object.entries(parts))('%s', async (_name, start) => {
  let waited = 0;
  for (let nth = 1, came = true; came; nth += 1) {
    const over = failAt(nth, database);
    const part = await start();
    came = over();
    await part.stop();
    registry.clear();
    waited += said.filter((words) => words.startsWith('waiting for the database')).length;
    said = [];
  }
  expect(waited).toBeGreaterThan(0);
});
