/** Three times more messages than a connector can take: what is sent first, and that nobody waits forever. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Connector, HandOver } from '../connectors/contract/connector.ts';
import type { Category } from '../model/plan.ts';
import { createLanes } from './lanes.ts';
import { delivered, openedDelivery } from './testing.ts';

const delivery = openedDelivery(1_000_000);
beforeAll(async () => {
  await delivery.knex.raw('create table virtual_clock as select now() as started, 0::float8 as ms');
  await delivery.knex.raw(
    `create or replace function service_now() returns timestamptz language sql stable
     as 'select started + ms * interval ''1 millisecond'' from virtual_clock'`,
  );
});

const perSecond = 40;
const stepMs = 250;

/** A network that takes messages at its rate, by a clock that the test moves. */
function pacedNetwork() {
  let nowMs = 0;
  let freeAtMs = 0;
  let waiting: { untilMs: number; answer: () => void }[] = [];
  const takenAtMs = new Map<string, number>();
  const connector: Connector = {
    state: () => ({ binds: 1, bound: 1, window: 10, inFlight: 0, ratePerSecond: perSecond }),
    send: (messages) =>
      new Promise<HandOver[]>((resolve) => {
        for (const { phone } of messages) {
          freeAtMs = Math.max(freeAtMs, nowMs) + 1_000 / perSecond;
          takenAtMs.set(phone, freeAtMs);
        }
        waiting.push({ untilMs: freeAtMs, answer: () => resolve(messages.map(() => delivered)) });
      }),
  };
  return {
    connector,
    takenAtMs,
    sending: () => waiting.length,
    moveTo: (ms: number) => {
      nowMs = ms;
      const due = waiting.filter(({ untilMs }) => untilMs <= nowMs);
      waiting = waiting.filter(({ untilMs }) => untilMs > nowMs);
      for (const { answer } of due) answer();
    },
  };
}

interface Source {
  teamId: string;
  category: Category;
  /** Messages of each request, and requests of each step. */
  messages: number;
  requests: number;
}

/** Lets the sources send for so long; returns how long each message waited that was taken, by source. */
async function overload(sources: readonly Source[], seconds: number): Promise<number[][]> {
  const network = pacedNetwork();
  let running = 0;
  let changed = () => {};
  const lanes = createLanes({
    ...delivery.dependencies({ sms: network.connector }),
    lotsPerConnector: 2,
    run: async (lot) => {
      running += 1;
      await lot().finally(() => {
        running -= 1;
        changed();
      });
    },
  });
  /** Until every lot that runs waits for the network. */
  const settled = async () => {
    while (running > network.sending())
      await new Promise<void>((resolve) => {
        changed = resolve;
        setImmediate(resolve);
      });
  };
  const acceptedAtMs = new Map<string, { source: number; ms: number }>();
  for (let ms = 0; ms < seconds * 1_000; ms += stepMs) {
    await delivery.knex.raw('update virtual_clock set ms = ?', [ms]);
    network.moveTo(ms);
    for (const [source, { teamId, category, messages, requests }] of sources.entries())
      for (let request = 0; request < requests; request += 1) {
        const phones = Array.from({ length: messages }, (_, place) => `+${source}-${ms}-${request}-${place}`);
        for (const phone of phones) acceptedAtMs.set(phone, { source, ms });
        await delivery.acceptRequest(
          { teamId, category },
          phones.map((phone) => ({ phone })),
        );
      }
    await settled();
    await lanes.round();
    await settled();
  }
  const waits: number[][] = sources.map(() => []);
  for (const [phone, takenMs] of network.takenAtMs) {
    const { source, ms } = acceptedAtMs.get(phone) ?? { source: 0, ms: 0 };
    waits[source]?.push(takenMs - ms);
  }
  network.moveTo(Number.POSITIVE_INFINITY);
  await lanes.drain();
  return waits;
}

function percentile(waits: readonly number[] | undefined, share: number): number {
  const sorted = [...(waits ?? [])].sort((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.POSITIVE_INFINITY;
}

test('at three times its capacity AUTHENTICATION waits less than 2 s, and every team of every category is served', async () => {
  const seconds = 30;
  // 16 of 40 messages a second are AUTHENTICATION; with the others there are 128.
  const [codes, updates, flood, small] = await overload(
    [
      { teamId: 'bank', category: 'AUTHENTICATION', messages: 1, requests: 4 },
      { teamId: 'shop', category: 'UTILITY', messages: 4, requests: 2 },
      { teamId: 'flood', category: 'MARKETING', messages: 19, requests: 1 },
      { teamId: 'small', category: 'MARKETING', messages: 1, requests: 1 },
    ],
    seconds,
  );
  expect(percentile(codes, 0.99)).toBeLessThan(2_000);
  // All but those of the last moments.
  expect(codes?.length).toBeGreaterThan(0.95 * 16 * seconds);
  const left = seconds * perSecond - (codes?.length ?? 0);
  // Of what is left, four of five messages are UTILITY; both teams of the last fifth have the same share.
  expect(updates?.length).toBeGreaterThan(0.7 * left);
  expect(small?.length).toBeGreaterThan(0.06 * left);
  expect(flood?.length).toBeGreaterThan(0.06 * left);
});
