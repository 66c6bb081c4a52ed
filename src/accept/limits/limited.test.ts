/** Calls of limited operations count once each; others pass. */
import { describe, expect, test } from '@jest/globals';
import { limitCalls, limitInProgress } from './limited.ts';
import { createLimiter } from './limiter.ts';

type Call = ReturnType<typeof by>;
const by = (teamId: string) => ({ caller: { teamId, clientId: 'client' } });

test('each limited operation of a team has its own limit, and rejected calls are not handled', async () => {
  const clock = { nowMs: 10_000, elapsedMs: () => clock.nowMs };
  const limit = { perSecond: 2, noun: 'requests' };
  const limiter = createLimiter(
    { a: limit, b: limit },
    async () => ({ team: null, operations: {}, client: null }),
    clock,
  );
  const handled: string[] = [];
  const handler = (name: string) => async (_call: Call) => {
    handled.push(name);
  };
  const handlers = limitCalls({ a: handler('a'), b: handler('b'), c: handler('c') }, ['a', 'b'], limiter);
  const call = by('team');
  for (const one of [handlers.a, handlers.a, handlers.b, handlers.c, handlers.c, handlers.c]) await one(call);
  await expect(handlers.a(call)).rejects.toMatchObject({
    status: 429,
    desc: 'The limit of 2 requests per second is exceeded.',
    headers: { 'Retry-After': '1' },
  });
  await handlers.a(by('other'));
  clock.nowMs += 950;
  await handlers.a(call);
  expect(handled).toEqual(['a', 'a', 'b', 'c', 'c', 'c', 'a', 'a']);
});

describe('calls in progress', () => {
  const ended: (() => void)[] = [];
  const { slow, free } = limitInProgress(
    {
      slow: (_call: Call) => new Promise<void>((resolve) => ended.push(resolve)),
      free: async (_call: Call) => 'handled',
    },
    { slow: { ofTeam: 2, ofAll: 3 } },
  );
  const tooMany = { status: 429, headers: { 'Retry-After': '2' } };

  test('of one team, and of all, are limited; those of other operations are not', async () => {
    const running = [slow(by('one')), slow(by('one'))];
    await expect(slow(by('one'))).rejects.toMatchObject(tooMany);
    running.push(slow(by('two')));
    await expect(slow(by('two'))).rejects.toMatchObject(tooMany);
    expect(await free(by('one'))).toBe('handled');
    ended.shift()?.();
    await running[0];
    const next = slow(by('two'));
    for (const end of ended.splice(0)) end();
    await Promise.all([...running, next]);
  });

  test('one that fails counts no longer', async () => {
    const { fails } = limitInProgress(
      {
        fails: async (_call: Call) => {
          throw new Error('broken');
        },
      },
      { fails: { ofTeam: 1, ofAll: 1 } },
    );
    for (let call = 0; call < 2; call += 1) await expect(fails(by('one'))).rejects.toThrow('broken');
  });
});
