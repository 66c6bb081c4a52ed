/** Calls of limited operations count once each; others pass. */
import { expect, test } from '@jest/globals';
import { limitCalls } from './limited.ts';
import { createLimiter } from './limiter.ts';

test('each limited operation of a team has its own limit, and rejected calls are not handled', async () => {
  const clock = { nowMs: 10_000, elapsedMs: () => clock.nowMs };
  const limit = { perSecond: 2, noun: 'requests' };
  const limiter = createLimiter(
    { a: limit, b: limit },
    async () => ({ team: null, operations: {}, client: null }),
    clock,
  );
  const handled: string[] = [];
  const handler = (name: string) => async (_call: { caller: { teamId: string; clientId: string } }) => {
    handled.push(name);
  };
  const handlers = limitCalls({ a: handler('a'), b: handler('b'), c: handler('c') }, ['a', 'b'], limiter);
  const call = { caller: { teamId: 'team', clientId: 'client' } };
  const other = { caller: { teamId: 'other', clientId: 'client' } };
  for (const one of [handlers.a, handlers.a, handlers.b, handlers.c, handlers.c, handlers.c]) await one(call);
  await expect(handlers.a(call)).rejects.toMatchObject({
    status: 429,
    desc: 'The limit of 2 requests per second is exceeded.',
    headers: { 'Retry-After': '1' },
  });
  await handlers.a(other);
  clock.nowMs += 950;
  await handlers.a(call);
  expect(handled).toEqual(['a', 'a', 'b', 'c', 'c', 'c', 'a', 'a']);
});
