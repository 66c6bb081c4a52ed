/** Scheduled messages: they wait without a job until their time, and leave or expire then. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Schedule } from '../../model/plan.ts';
import { type Explained, rowsRead } from '../../platform/db/plan-testing.ts';
import { setClock } from '../../platform/db/testing.ts';
import { findOrphans } from '../orphans/repository.ts';
import { delivered, network, openedDelivery } from '../testing.ts';
import { releaseRound } from './release.ts';
import { releaseText } from './repository.ts';

const delivery = openedDelivery(100);
beforeEach(() => setClock(delivery.knex, 0));

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

async function accept(schedule: Schedule, messages = 1): Promise<void> {
  const { sendAt } = schedule;
  await delivery.acceptRequest(
    { schedule },
    Array.from({ length: messages }, () => ({ sendAt })),
  );
}

/** Releases what is due and delivers what is queued; returns the numbers that the network got. */
async function work(paused = false): Promise<string[]> {
  const safaricom = network(() => delivered);
  const all = delivery.dependencies(paused ? {} : { sms: safaricom.connector });
  while (await releaseRound(all, () => {}));
  await delivery.deliverRound(all);
  return safaricom.sent;
}

test('a scheduled message has no job, is no orphan, and leaves when its time has come', async () => {
  await accept({ sendAt: inMinutes(60) });
  expect(await work()).toEqual([]);
  expect(await delivery.states()).toEqual(['Scheduled']);
  expect(await delivery.knex('jobs')).toEqual([]);
  expect(await findOrphans(delivery.knex, '0', '999999999')).toMatchObject({ orphans: [] });
  await setClock(delivery.knex, 61);
  expect(await work()).toEqual(['+254711000000']);
  expect(await delivery.states()).toEqual(['Delivered']);
  expect(await delivery.balance()).toBe(99);
});

test('two processes that release at once queue each message once', async () => {
  await accept({ sendAt: inMinutes(5) }, 50);
  await setClock(delivery.knex, 6);
  const all = delivery.dependencies({});
  await Promise.all([releaseRound(all, () => {}), releaseRound(all, () => {})]);
  const jobs: { data: { messageIds: string[] } }[] = await delivery.knex('jobs');
  const ids = jobs.flatMap(({ data }) => data.messageIds);
  expect([ids.length, new Set(ids).size]).toEqual([50, 50]);
});

describe('behind more promotional messages than a round releases', () => {
  beforeEach(async () => {
    await delivery.reset(4_000);
    await accept({ sendAt: inMinutes(5) }, 3_000);
    const codes = [6, 8].map((minutes) => ({ phone: `+25471100000${minutes}`, sendAt: inMinutes(minutes) }));
    await delivery.acceptRequest({ category: 'AUTHENTICATION' }, codes);
    await setClock(delivery.knex, 7);
  });

  test('a one-time code that is due is released by the next round, and none before its time', async () => {
    await releaseRound(delivery.dependencies({}), () => {});
    const queued = await delivery.knex('messages').where({ state: 'Queued' }).orderBy('send_at', 'desc');
    expect([queued.length, queued[0].phone]).toEqual([1_000, '+254711000006']);
    const [first] = await delivery.knex('jobs').orderBy('priority');
    expect(first).toMatchObject({ priority: 0, messages: 1 });
  });

  test('a round reads what it releases, whatever else is due', async () => {
    await delivery.knex.raw('analyze requests, messages');
    const { rows } = await delivery.knex.raw<{ rows: Explained[] }>(
      `explain (analyze, format json) ${releaseText}`,
      { limit: 10, validitySeconds: 60 },
    );
    expect(rowsRead(rows, 'messages')).toBeLessThanOrEqual(40);
  });
});

describe('a message that cannot go out in time expires, and is refunded once', () => {
  test.each([
    ['its connector is paused until validUntil', { validUntil: inMinutes(20) }, 21, true],
    ['nothing worked until validUntil', { validUntil: inMinutes(20) }, 21, false],
    ['nothing worked until its validity was over', {}, 5 + 61, false],
  ])('%s', async (_why, until, minutes, paused) => {
    await accept({ sendAt: inMinutes(5), ...until });
    if (paused) {
      await setClock(delivery.knex, 6);
      await work(true);
      expect(await delivery.states()).toEqual(['Queued']);
    }
    await setClock(delivery.knex, minutes);
    expect(await work(paused)).toEqual([]);
    expect(await delivery.states()).toEqual(['Expired']);
    expect(await delivery.receipts()).toEqual(['Expired']);
    expect(await delivery.balance()).toBe(100);
  });
});

test('its validity counts from its time, not from its acceptance', async () => {
  await accept({ sendAt: inMinutes(24 * 60) });
  await setClock(delivery.knex, 24 * 60 + 59);
  expect(await work()).toHaveLength(1);
});
