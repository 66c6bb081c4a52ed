/** The rate limit in memory, on a clock that the tests move. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Rejection } from '../../platform/errors.ts';
import { rateLimitHeaders } from './limited.ts';
import { createLimiter, type LoadRates } from './limiter.ts';
import type { OwnRates, SharedWindows } from './repository.ts';

const seed = Number(process.env.SEED);
const limits = { sendSms: { perSecond: 400, noun: 'messages' } };

const own = { team: null, operations: {}, client: null };
const noRates = async () => own;

function limiterAt(startMs: number, loadRates: LoadRates = noRates) {
  const clock = { nowMs: startMs, elapsedMs: () => clock.nowMs };
  const limiter = createLimiter(limits, loadRates, clock);
  const take = (messages: number, teamId = 't', clientId = 'c') =>
    limiter.take({ teamId, clientId }, 'sendSms', messages);
  const refused = async (messages: number, teamId?: string, clientId?: string) => {
    const error = await take(messages, teamId, clientId).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return error instanceof Rejection ? error : undefined;
  };
  return { clock, take, refused };
}

describe('400 messages per second', () => {
  test('the 401st waits, requests count as a whole, and a rejected one consumes nothing', async () => {
    const { clock, take, refused } = limiterAt(10_000);
    await take(350);
    expect(await refused(51)).toMatchObject({
      status: 429,
      code: 'rate_limit_exceeded',
      desc: 'The limit of 400 messages per second is exceeded.',
      headers: { 'Retry-After': '1' },
    });
    await take(50);
    clock.nowMs += 950;
    await take(400);
  });

  test('a clock that is set back by an hour lets one more window pass, and blocks nobody', async () => {
    const { clock, take, refused } = limiterAt(7_200_000);
    await take(400);
    clock.nowMs -= 3_600_000;
    await take(400);
    expect(await refused(1)).toMatchObject({ headers: { 'Retry-After': '1' } });
    clock.nowMs += 950;
    await take(400);
  });

  test('counts from before the clock was set back are not undone after it', async () => {
    const { clock, take, refused } = limiterAt(7_200_000);
    const giveBack = await take(400);
    clock.nowMs -= 3_600_000;
    await take(400);
    await giveBack();
    expect(await refused(1)).toBeDefined();
  });

  test('an operation without a limit is not counted', async () => {
    const limiter = createLimiter(limits, noRates, { elapsedMs: () => 0 });
    const sender = { teamId: 't', clientId: 'c' };
    await limiter.take(sender, 'other', 1_000_000);
    expect(rateLimitHeaders(await limiter.states(sender, 'other'))).toEqual({});
  });

  test(`a sender of 400 at each full second, 40 ms early or late, is never rejected (SEED=${seed})`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 2, maxLength: 30 }),
        async (jitters) => {
          const { clock, take } = limiterAt(0);
          for (const [second, jitterMs] of jitters.entries()) {
            clock.nowMs = (second + 1) * 1000 + jitterMs;
            for (let part = 0; part < 4; part += 1) await take(100);
          }
        },
      ),
      { seed, numRuns: 100 },
    );
  });

  test(`never more than 400 in any 0.94 s, whatever is requested (SEED=${seed})`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 150 })), {
          maxLength: 80,
        }),
        async (asks) => {
          const { clock, refused } = limiterAt(0);
          const passed: [atMs: number, messages: number][] = [];
          for (const [pauseMs, messages] of asks) {
            clock.nowMs += pauseMs;
            if ((await refused(messages)) === undefined) passed.push([clock.nowMs, messages]);
          }
          for (const [fromMs] of passed) {
            const within = passed.filter(([atMs]) => atMs >= fromMs && atMs < fromMs + 940);
            expect(within.reduce((sum, [, messages]) => sum + messages, 0)).toBeLessThanOrEqual(400);
          }
        },
      ),
      { seed, numRuns: 200 },
    );
  });
});

describe('rates that operators set', () => {
  const desc = (perSecond: number) => ({
    desc: `The limit of ${perSecond} messages per second is exceeded.`,
  });

  test('a team has its own instead of the service’s, and one of the operation counts instead of both', async () => {
    const { take, refused } = limiterAt(0, async (team) => ({
      ...own,
      team: team === 'b' ? 10 : 500,
      operations: team === 'a' ? {} : { sendSms: 20 },
    }));
    await take(500, 'a');
    expect(await refused(1, 'a')).toMatchObject(desc(500));
    for (const team of ['b', 'c']) {
      await take(20, team);
      expect(await refused(1, team)).toMatchObject(desc(20));
    }
  });

  test('a client has its own within its team’s; a rejection by either counts for neither', async () => {
    const { take, refused } = limiterAt(0, async (_team, id) => ({ ...own, client: id === 'a' ? 50 : null }));
    await take(50, 't', 'a');
    expect(await refused(1, 't', 'a')).toMatchObject(desc(50));
    await take(350, 't', 'b');
    expect(await refused(1, 't', 'b')).toMatchObject(desc(400));
  });

  test("the client's count is undone if the team's limit or a later check rejects", async () => {
    const { take, refused } = limiterAt(0, async (_team, id) => ({
      ...own,
      client: id === 'a' ? 50 : null,
    }));
    const giveBackOther = await take(400, 't', 'b');
    expect(await refused(50, 't', 'a')).toBeDefined();
    await giveBackOther();
    const giveBack = await take(50, 't', 'a');
    await giveBack();
    await take(50, 't', 'a');
  });
});

describe('the remaining limit', () => {
  const sender = { teamId: 't', clientId: 'c' };
  const limiterWith = (rates: Partial<OwnRates>, shared?: SharedWindows) => {
    const clock = { nowMs: 10_000, elapsedMs: () => clock.nowMs };
    return { clock, limiter: createLimiter(limits, async () => ({ ...own, ...rates }), clock, shared) };
  };

  test('counts down, is not changed by a rejected request, and is restored within a second', async () => {
    const { clock, limiter } = limiterWith({});
    const left = () => limiter.states(sender, 'sendSms');
    expect(await left()).toEqual([{ holder: 'team', perSecond: 400, remaining: 400 }]);
    const giveBack = await limiter.take(sender, 'sendSms', 300);
    expect(await left()).toMatchObject([{ remaining: 100 }]);
    await expect(limiter.take(sender, 'sendSms', 101)).rejects.toMatchObject({ status: 429 });
    expect(await left()).toMatchObject([{ remaining: 100 }]);
    await giveBack();
    expect(await left()).toMatchObject([{ remaining: 400 }]);
    await limiter.take(sender, 'sendSms', 400);
    expect(await left()).toMatchObject([{ remaining: 0 }]);
    clock.nowMs += 950;
    expect(await left()).toMatchObject([{ remaining: 400 }]);
  });

  test('of the team and of the client, each by its own limit', async () => {
    const { limiter } = limiterWith({ team: 1_000, client: 50 });
    await limiter.take(sender, 'sendSms', 20);
    const states = await limiter.states(sender, 'sendSms');
    expect(rateLimitHeaders(states)).toEqual({
      'RateLimit-Policy': '"team";q=1000;w=1, "client";q=50;w=1',
      RateLimit: '"team";r=980;t=1, "client";r=30;t=1',
    });
  });

  test('is zero while other processes have used up the window', async () => {
    const { clock, limiter } = limiterWith(
      {},
      { countIn: async () => ({ waitMs: 300, bucket: '' }), takeBack: async () => {} },
    );
    await expect(limiter.take(sender, 'sendSms', 1)).rejects.toMatchObject({ status: 429 });
    expect(await limiter.states(sender, 'sendSms')).toMatchObject([{ remaining: 0 }]);
    clock.nowMs += 300;
    expect(await limiter.states(sender, 'sendSms')).toMatchObject([{ remaining: 400 }]);
  });
});
