/** What waits for a window or a rate leaves by what is known of opt-outs and quiet hours within the last second. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { HandOver } from '../connectors/contract/connector.ts';
import { longLease } from '../connectors/contract/lease-testing.ts';
import { concurrently } from '../connectors/runtime/concurrently.ts';
import { createRetries } from '../connectors/runtime/retries.ts';
import { createFakeTimers, type FakeTimers, smppSettings } from '../connectors/smpp/fake-testing.ts';
import { handOver } from '../connectors/smpp/sending/submit.ts';
import type { Link } from '../connectors/smpp/session/link.ts';
import { createPool } from '../connectors/smpp/session/pool.ts';
import { optedOut } from '../products/consent/opt-out.ts';
import { closedNow, createLookAgain } from './fresh.ts';
import type { QueuedMessage } from './repository.ts';

let timers: FakeTimers;
/** How many messages each look-up was about. */
let looks: number[];
/** From when on all have opted out, or are to wait for their window. */
let [stopMs, quietMs] = [0, 0];

beforeEach(() => {
  timers = createFakeTimers();
  looks = [];
  [stopMs, quietMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  jest.spyOn(performance, 'now').mockImplementation(() => timers.now());
});
afterEach(() => void jest.restoreAllMocks());

const messagesOf = (count: number, given: Partial<QueuedMessage> = {}) =>
  Array.from({ length: count }, (_, n) => ({
    ...{ id: String(n + 1), product: 'sms', channel: 'Safaricom', sender: 'ACME', content: 'Habari' },
    ...{ phone: `+2547110000${n + 10}`, unanswered: false, ...given },
  })) as unknown as QueuedMessage[];

const looking = (messages: readonly QueuedMessage[]) =>
  createLookAgain(
    {
      findOptedOut: async (asked) => {
        looks.push(asked.length);
        return new Set(timers.now() >= stopMs ? asked.map(({ id }) => id) : []);
      },
      findOpenings: async (asked) =>
        new Map(timers.now() >= quietMs ? asked.map(({ id }) => [id, new Date()]) : []),
    },
    messages,
    timers.now(),
  );

/** Lets time pass until it has ended. */
async function pass<Result>(under: Promise<Result>): Promise<Result> {
  let ended = false;
  const end = under.finally(() => {
    ended = true;
  });
  while (!ended) {
    await new Promise(setImmediate);
    timers.advance(100);
  }
  return end;
}

/** When each left, for a network that responds after so many milliseconds and takes ten at a time. */
const networks = {
  smpp: async (messages: readonly QueuedMessage[], tookMs: number) => {
    const left: number[] = [];
    const link = {
      request: (_command: string, _fields: object, done: (answer: object) => void) => {
        left.push(timers.now());
        timers.after(tookMs, () => done({ status: 0, messageId: `${left.length}` }));
      },
    };
    const settings = smppSettings({ window: 10, rate: 1_000 });
    const pool = createPool(settings, timers, { throttled: () => {}, failed: () => {} });
    pool.add(link as unknown as Link);
    const parts = { of: async () => [], keep: async () => {} };
    const retries = createRetries({ elapsedMs: timers.now });
    const all = { settings, pool, parts, retries, timers };
    const outcomes = await pass(handOver(all, messages, longLease, looking(messages)));
    return { left, outcomes, inFlight: pool.inFlight() };
  },
  http: async (messages: readonly QueuedMessage[], tookMs: number) => {
    const left: number[] = [];
    const lookAgain = looking(messages);
    const outcomes = await pass(
      concurrently<QueuedMessage, HandOver>(messages, {
        concurrency: 10,
        lookAgain: ({ id }) => lookAgain(id),
        work: (message) => {
          left.push(timers.now());
          return new Promise((resolve) => {
            timers.after(tookMs, () => resolve({ kind: 'accepted', networkId: message.id }));
          });
        },
        late: () => ({ kind: 'later', delaySeconds: 1 }),
        failed: () => ({ kind: 'later', delaySeconds: 1 }),
      }),
    );
    return { left, outcomes, inFlight: 0 };
  },
};

describe.each(['smpp', 'http'] as const)('%s', (kind) => {
  test.each<[string, () => void, HandOver]>([
    ['an opt-out', () => (stopMs = timers.now() + 2_000), optedOut],
    ['quiet hours begin', () => (quietMs = timers.now() + 2_000), closedNow],
  ])('nothing leaves later than a second after %s', async (_what, given, outcome) => {
    given();
    const messages = messagesOf(60);
    const { left, outcomes, inFlight } = await networks[kind](messages, 1_500);
    const endMs = Math.min(stopMs, quietMs) + 1_000;
    expect(left.filter((atMs) => atMs > endMs)).toEqual([]);
    expect(left.length).toBeGreaterThanOrEqual(20);
    expect(outcomes.filter(({ kind }) => kind === 'accepted')).toHaveLength(left.length);
    expect(outcomes.filter(({ kind }) => kind !== 'accepted')).toEqual(
      Array.from({ length: 60 - left.length }, () => outcome),
    );
    expect(inFlight).toBe(0);
    // One for all that had not left, whenever a place was free.
    expect(looks.length).toBeLessThanOrEqual(3);
  });

  test('what leaves within a second is not looked up again', async () => {
    const { outcomes } = await networks[kind](messagesOf(60), 100);
    expect([outcomes.every(({ kind }) => kind === 'accepted'), looks]).toEqual([true, []]);
  });
});

test('one that its network did not answer for does not wait for its window', async () => {
  quietMs = 0;
  const messages = messagesOf(1, { unanswered: true });
  const lookAgain = looking(messages);
  timers.advance(1_000);
  expect(await lookAgain('1')).toBeUndefined();
  expect(lookAgain('1')).toBeUndefined();
});

test('the parts of a message that has begun to leave all leave', async () => {
  stopMs = timers.now() + 500;
  const [long] = messagesOf(1, { content: 'a'.repeat(1_600) });
  const { left, outcomes } = await networks.smpp(long === undefined ? [] : [long], 1_500);
  expect([left.length, outcomes]).toEqual([
    11,
    [expect.objectContaining({ kind: 'accepted', segments: 11 })],
  ]);
});

test('nothing leaves while the list cannot be read', async () => {
  const messages = messagesOf(1);
  const lookAgain = createLookAgain(
    { findOptedOut: () => Promise.reject(new Error('away')), findOpenings: async () => new Map() },
    messages,
    timers.now(),
  );
  timers.advance(1_000);
  await expect(lookAgain('1')).rejects.toThrow('away');
  const late: HandOver = { kind: 'later', delaySeconds: 1 };
  const work = async (): Promise<HandOver> => ({ kind: 'accepted' });
  const given = { concurrency: 1, work, late: () => late, failed: () => late };
  expect(
    await concurrently(messages, { ...given, lookAgain: ({ id }: QueuedMessage) => lookAgain(id) }),
  ).toEqual([late]);
});
