/** Pools of connections do not pile up, whatever their origins do. */
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Pool } from 'undici';
import { createTestBed } from '../testing.ts';
import { createGuardedConnector, type Lookup } from './connect.ts';
import { createDestinations } from './destination.ts';
import { createPools } from './pools.ts';

const toThisMachine: Lookup = (_hostname, _options, callback) =>
  callback(null, [{ address: '127.0.0.1', family: 4 }]);

const bed = createTestBed();
afterEach(bed.end);

function pools(options?: Parameters<typeof createPools>[1]) {
  const destinations = createDestinations({ allowLoopback: true });
  const made = createPools(
    createGuardedConnector({ destinations, timeoutMs: 10_000, lookup: toThisMachine }),
    options,
  );
  bed.onEnd(made.close);
  return made;
}

const request = (timeoutMs: number) => async (pool: Pool) => {
  const { body } = await pool.request({ path: '/', method: 'POST', signal: AbortSignal.timeout(timeoutMs) });
  await body.dump();
};
const answering: RequestListener = (_request, response) => response.end();
/** Many origins on one port. */
const origins = (count: number, port: number) =>
  Array.from({ length: count }, (_, n) => `http://origin-${n}.example:${port}`);

test('hundreds of origins that accept and never respond leave as many pools as may be idle, and then none', async () => {
  const { port } = await bed.listen(createTcpServer((socket) => socket.resume()));
  const { use, size } = pools({ idleMs: 500, mostIdle: 20 });
  let most = 0;
  const outcomes: string[] = [];
  const waiting = origins(300, port);
  const post = async () => {
    for (let origin = waiting.pop(); origin !== undefined; origin = waiting.pop()) {
      const ended = use(origin, request(100)).catch((error: Error) => outcomes.push(error.name));
      most = Math.max(most, size());
      await ended;
    }
  };
  await Promise.all(Array.from({ length: 100 }, post));
  expect(outcomes).toStrictEqual(Array(300).fill('TimeoutError'));
  expect(most).toBeLessThanOrEqual(120);
  while (size() > 0) await new Promise(setImmediate);
});

describe('a pool', () => {
  test('that has been idle the longest goes first', async () => {
    const { port } = await bed.listen(createServer(answering));
    const { use, size } = pools({ mostIdle: 2 });
    const [one = '', two = '', three = ''] = origins(3, port);
    const seen = new Map<string, Pool>();
    const poolOf = (origin: string) => use(origin, async (pool) => pool);
    for (const origin of [one, two, one, three]) seen.set(origin, await poolOf(origin));
    expect(size()).toBe(2);
    expect(await poolOf(one)).toBe(seen.get(one));
    expect(seen.get(two)?.destroyed).toBe(true);
  });

  test('in use is never closed to make room', async () => {
    const { port } = await bed.listen(createServer(answering));
    const { use, size } = pools({ mostIdle: 0 });
    const [one = '', two = ''] = origins(2, port);
    await use(one, async (pool) => {
      await use(two, request(5_000));
      expect(pool.destroyed).toBe(false);
      await request(5_000)(pool);
    });
    expect(size()).toBe(0);
  });
});
