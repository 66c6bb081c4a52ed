/** The port for health, readiness and metrics. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
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

test('200 /metrics in the form of Prometheus', async () => {
  expect(await get('/metrics')).toEqual([200, expect.stringContaining('\nwaiting 7\n')]);
});

test('200 /healthz, whatever the readiness', async () => {
  reason = 'database';
  expect(await get('/healthz')).toEqual([200, '{"status":"ok"}']);
});

describe('/readyz', () => {
  test('200 when ready', async () => {
    expect(await get('/readyz')).toEqual([200, '{"status":"ready"}']);
  });

  test.each<UnavailableReason>([
    'starting',
    'stopping',
    'database',
    'overloaded',
  ])('503 and one word: %s', async (word) => {
    reason = word;
    expect(await get('/readyz')).toEqual([503, `{"status":"unavailable","reason":"${word}"}`]);
  });
});

test.each([
  ['GET', '/', 404],
  ['POST', '/metrics', 405],
  ['POST', '/message/demo-sms', 404],
])('%s %s is %i', async (method, path, status) => {
  expect((await get(path, method))[0]).toBe(status);
});
