/** The port for health, readiness and metrics. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Gauge, Registry } from 'prom-client';
import { createEvents } from '../process/events.ts';
import { type Listener, listen } from './connections/listener.ts';
import { startOperatorServer } from './operator-server.ts';
import type { UnavailableReason } from './readiness.ts';

let listener: Listener;
let reason: UnavailableReason | undefined;

beforeEach(async () => {
  reason = undefined;
  const logger = pino({ level: 'silent' });
  const registry = new Registry();
  new Gauge({ name: 'waiting', help: 'What waits', registers: [registry] }).set(7);
  const readiness = { check: async () => reason, started: () => {}, stopping: () => {} };
  const dependencies = { logger, registry, events: createEvents(registry, logger), readiness };
  listener = await listen({ host: '127.0.0.1', port: 0, connectionLimit: 100 });
  startOperatorServer(dependencies, listener);
});
afterEach(() => listener.close({ idleMs: 0, graceMs: 0 }));

const get = async (path: string, method = 'GET') => {
  const response = await fetch(`http://127.0.0.1:${listener.port}${path}`, { method });
  return [response.status, await response.text()];
};

test.each<[string, UnavailableReason | undefined, number, unknown]>([
  ['/metrics', undefined, 200, expect.stringContaining('\nwaiting 7\n')],
  ['/healthz', 'database', 200, '{"status":"ok"}'],
  ['/readyz', undefined, 200, '{"status":"ready"}'],
  ['/readyz', 'database', 503, '{"status":"unavailable","reason":"database"}'],
])('GET %s while the reason not to be ready is %s: %i', async (path, why, status, body) => {
  reason = why;
  expect(await get(path)).toEqual([status, body]);
});

test.each([
  ['GET', '/', 404],
  ['POST', '/metrics', 405],
  ['POST', '/message/demo-sms', 404],
])('%s %s is %i', async (method, path, status) => {
  expect((await get(path, method))[0]).toBe(status);
});
