/** Cancelling a request: each message is cancelled and refunded, or sent; what was too late is counted. */
import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PlannedMessage } from '../../model/plan.ts';
import { sized } from '../../platform/sized-testing.ts';
import { createLanes, type LaneDependencies } from '../lanes.ts';
import { releaseRound } from '../scheduled/release.ts';
import { delivered, network, openedDelivery } from '../testing.ts';
import { type Cancel, createCancel } from './cancel.ts';

const seed = Number(process.env.SEED);
const units = 1_000;

let cancel: Cancel;
const delivery = openedDelivery(units);
beforeAll(async () => {
  const { knex } = delivery;
  cancel = createCancel({ knex, consequences: delivery.dependencies({}).consequences, onReached: () => {} });
});

async function accept(...messages: Partial<PlannedMessage>[]): Promise<string> {
  const requestId = randomUUID();
  const sendAt = messages.find((message) => message.sendAt)?.sendAt;
  await delivery.acceptRequest(
    {
      accepted: { requestId, units: {}, addresses: {} },
      ...(sendAt === undefined ? {} : { schedule: { sendAt } }),
    },
    messages,
  );
  return requestId;
}

const refunded = (sum: number) => (sum === 0 ? [] : [{ product: 'Sms', units: sum }]);
const soon = () => new Date(Date.now() + 60_000).toISOString();

describe('what waits is cancelled, refunded once and announced', () => {
  test.each<[string, Partial<PlannedMessage>]>([
    ['scheduled', { units: 3, sendAt: soon() }],
    ['queued', { units: 3 }],
    ['held', { units: 3, held: true }],
  ])('%s', async (_state, message) => {
    const requestId = await accept(message, message);
    const first = await cancel(requestId, undefined);
    expect(first).toEqual({ requestId, cancelled: 2, late: 0, refunded: refunded(6) });
    expect(await cancel(requestId, undefined)).toEqual(first);
    expect(await delivery.states()).toEqual(['Cancelled', 'Cancelled']);
    expect(await delivery.receipts()).toEqual(['Cancelled', 'Cancelled']);
    expect(await delivery.balance()).toBe(units);
    const { connector, sent } = network(() => delivered);
    await delivery.deliver({ sms: connector });
    expect(sent).toEqual([]);
    expect(await delivery.knex('jobs')).toEqual([]);
  });

  test('a bundle takes its SMS along', async () => {
    const requestId = await accept(
      { product: 'data', content: '1GB', units: 1, sendAt: soon() },
      { held: true, units: 2, position: 0 },
    );
    expect(await cancel(requestId, undefined)).toMatchObject({ cancelled: 2, late: 0 });
    expect(await delivery.balance()).toBe(units);
  });

  test('of a request whose job has others too, those are sent', async () => {
    const { knex } = delivery;
    const first = await accept({ phone: '+254711000001' });
    const second = await accept({ phone: '+254711000002' });
    const [job, other] = await knex('jobs').orderBy('id');
    await knex('jobs').where({ id: other.id }).delete();
    await knex('jobs')
      .where({ id: job.id })
      .update({ messages: 2, data: JSON.stringify({ ...job.data, requestIds: [first, second] }) });
    await cancel(first, undefined);
    const { connector, sent } = network(() => delivered);
    await delivery.deliver({ sms: connector });
    expect(sent).toEqual(['+254711000002']);
  });
});

describe('what may have left is late', () => {
  const later = (more: object = {}) =>
    delivery.deliver({ sms: network(() => ({ kind: 'later', delaySeconds: 1, ...more })).connector });

  test.each<[string, () => Promise<unknown>]>([
    ['a message that was sent', () => delivery.deliver({ sms: network(() => delivered).connector })],
    ['a claimed one', () => delivery.knex('jobs').update({ claimed: true, claims: 1 })],
    ['one whose worker died or failed', () => delivery.knex('jobs').update({ claims: 1 })],
    [
      'one that its network did not answer for, also when it has waited again since',
      async () => {
        await later({ unanswered: true });
        await delivery.hurry();
        await later();
      },
    ],
    [
      'one of which a part has left',
      async () => {
        const [{ id: message_id }] = await delivery.knex('messages');
        const part = { connector: 'sms', network_id: 'A1', message_id, parts: 2, number: 1 };
        await delivery.knex('message_parts').insert(part);
      },
    ],
  ])('%s', async (_what, leave) => {
    const requestId = await accept({});
    await leave();
    const stored = async () => [await delivery.knex('messages'), await delivery.knex('jobs')];
    const before = await stored();
    const late = { requestId, cancelled: 0, late: 1, refunded: [] };
    expect(await cancel(requestId, undefined)).toEqual(late);
    expect(await stored()).toEqual(before);
  });
});

test('a later call may cancel what the first one was too late for; counts are of both, and units go back once', async () => {
  const requestId = await accept({ units: 2, sendAt: soon() }, { units: 3 });
  const { knex } = delivery;
  await knex('jobs').update({ claimed: true, claims: 1 });
  expect(await cancel(requestId, undefined)).toEqual({
    ...{ requestId, cancelled: 1, late: 1, refunded: refunded(2) },
  });
  await knex('jobs').update({ claimed: false, claims: 1, due_at: knex.raw('service_now()') });
  const { connector } = network(() => ({ kind: 'later', delaySeconds: 60 }));
  await delivery.deliver({ sms: connector });
  const both = { requestId, cancelled: 2, late: 0, refunded: refunded(5) };
  expect(await cancel(requestId, undefined)).toEqual(both);
  expect(await cancel(requestId, undefined)).toEqual(both);
  expect([await delivery.balance(), await delivery.states()]).toEqual([units, ['Cancelled', 'Cancelled']]);
});

test('a request of another team does not exist', async () => {
  const requestId = await accept({});
  expect(await cancel(requestId, 'others')).toBeUndefined();
  expect(await cancel(randomUUID(), undefined)).toBeUndefined();
  expect(await delivery.states()).toEqual(['Queued']);
});

describe('cancelling, claiming and dying workers compete', () => {
  const race = fc.record({
    messages: fc.integer({ min: 1, max: 3 }),
    scheduled: fc.boolean(),
    /** How many turns of the event loop until it is cancelled, and whether that is done twice at once. */
    cancelAfter: fc.nat({ max: 30 }),
    twice: fc.boolean(),
  });
  /** In which of its rounds a worker dies, after it has submitted its lot. */
  const deaths = fc.array(fc.nat({ max: 6 }), { maxLength: 3 });

  /** A worker that dies leaves its jobs claimed and records nothing. */
  const workerOf = (dies: readonly number[], sent: string[]): (() => Promise<void>) => {
    const { connector } = network(({ phone }) => {
      sent.push(phone);
      return delivered;
    });
    const all = delivery.dependencies({ sms: connector });
    let round = 0;
    const dead: LaneDependencies = {
      ...all,
      queue: {
        ...all.queue,
        complete: async () => {
          throw new Error('the worker died');
        },
        release: async () => {},
      },
    };
    const lanes = { alive: createLanes(all), dead: createLanes(dead) };
    return async () => {
      await releaseRound(all, () => {});
      const now = dies.includes(round) ? lanes.dead : lanes.alive;
      round += 1;
      await now.round();
      await now.drain();
    };
  };

  test('each message is cancelled and refunded, or sent', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(race, { minLength: 10, maxLength: 10 }),
        deaths,
        deaths,
        async (races, first, second) => {
          await delivery.reset(units);
          const sent: string[] = [];
          const due = new Date().toISOString();
          const requests = await Promise.all(
            races.map(async (one, place) => ({
              ...one,
              id: await accept(
                ...Array.from({ length: one.messages }, (_, index) => ({
                  phone: `+2547110000${place}${index}`,
                  ...(one.scheduled ? { sendAt: due } : {}),
                })),
              ),
            })),
          );
          const cancels = requests.map(async ({ id, cancelAfter, twice }) => {
            for (let left = cancelAfter; left > 0; left -= 1) await turn();
            await Promise.all(Array.from({ length: twice ? 2 : 1 }, () => cancel(id, undefined)));
          });
          const workers = [workerOf(first, sent), workerOf(second, sent)];
          const works = workers.map(async (work) => {
            for (let rounds = 0; rounds < 8; rounds += 1) await work();
          });
          await Promise.all([...cancels, ...works]);
          // The leases of the dead are over.
          await delivery.knex.raw('update jobs set due_at = service_now()');
          const last = workerOf([], sent);
          for (let rounds = 0; rounds < 4; rounds += 1) await last();
          const cancelled = new Set<string>();
          for (const message of await delivery.knex('messages')) {
            expect(['Cancelled', 'Delivered']).toContain(message.state);
            expect(sent.includes(message.phone)).toBe(message.state === 'Delivered');
            if (message.state === 'Cancelled') cancelled.add(message.id);
          }
          const all = requests.reduce((sum, one) => sum + one.messages, 0);
          expect(await delivery.knex('messages')).toHaveLength(all);
          expect(await delivery.balance()).toBe(units - all + cancelled.size);
          const refunds = await delivery
            .knex('ledger_entries')
            .where({ reason: 'Refund' })
            .pluck('message_id');
          expect(refunds.filter((id) => cancelled.has(id)).sort()).toEqual([...cancelled].sort());
          expect(await delivery.receipts()).toHaveLength(all);
          expect(await delivery.knex('jobs')).toEqual([]);
        },
      ),
      { numRuns: sized(5, 1_000), seed },
    );
  }, 3_600_000);
});
