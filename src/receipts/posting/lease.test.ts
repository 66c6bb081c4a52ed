/** How long a claimed receipt belongs to one process, and what becomes of it when that process is gone or late. */
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { testDatabase } from '../../platform/db/opened-testing.ts';
import { originKeyOf } from '../callback/callback-url.ts';
import type { PostOutcome } from '../callback/client.ts';
import { fine, posterBed } from './post-testing.ts';
import { createReceiptRepository, endReceiptLeases } from './repository.ts';

const database = testDatabase();
const bed = posterBed(() => database);

const home = 'https://receipts.example';
const openProcess = () => createReceiptRepository(database.knex, randomUUID());
const row = () => database.knex('receipts').first();
const states = () => database.knex('receipts').orderBy('state').pluck('state');
const room = { places: 10, untestedPlaces: 10, teams: [], origins: [] };

test('until it is over nobody else gets the receipt, then anybody', async () => {
  const [one, other] = [openProcess(), openProcess()];
  await bed.insert(1, home);
  const [claimed] = await one.claim(room);
  await bed.pass(29);
  expect(await other.claim(room)).toStrictEqual([]);
  await bed.pass(1);
  expect(await other.claim(room)).toStrictEqual([claimed]);
});

test('it ends when the process releases the receipt, and no other one can', async () => {
  const [one, other] = [openProcess(), openProcess()];
  await bed.insert(1, home);
  const [claimed] = await one.claim(room);
  await other.release(claimed ? [claimed] : []);
  expect(await other.claim(room)).toStrictEqual([]);
  await one.release(claimed ? [claimed] : []);
  expect(await other.claim(room)).toStrictEqual([claimed]);
});

test.each([
  ['ends, if no other process can have it', true, 1],
  ['goes on', false, 0],
])('when a process starts, it %s', async (_rule, embedded, count) => {
  await bed.insert(1, home);
  await openProcess().claim(room);
  await endReceiptLeases({ knex: database.knex, embedded });
  expect(await openProcess().claim(room)).toHaveLength(count);
});

test.each([
  ['ends the receipt', 'Delivered', 'Delivered', 1],
  ['does not decide when the next attempt is', 'Waiting', 'Waiting', 0],
] as const)('an outcome that comes after another process claimed the receipt %s', async (_rule, state, then, attempts) => {
  const [one, other] = [openProcess(), openProcess()];
  await bed.insert(1, home);
  const [{ id: receiptId = '' } = {}] = await one.claim(room);
  await bed.pass(30);
  await other.claim(room);
  const leaseEnds = (await row()).next_attempt_at;
  const attempt = {
    ...{ receiptId, teamId: 'demo', originKey: originKeyOf(home), origin: home, state, counts: true },
    ...{ delaySeconds: 0, originWorks: true, entry: { at: '2030-01-01T00:00:00.000Z', latencyMs: 1 } },
  };
  await one.settle([attempt]);
  expect(await row()).toMatchObject({ state: then, attempts });
  if (state === 'Waiting') expect((await row()).next_attempt_at).toStrictEqual(leaseEnds);
  await other.settle([{ ...attempt, state: 'Delivered' }]);
  expect(await row()).toMatchObject({ state: 'Delivered', attempts: 1 });
});

test('a process that is still posting the receipt does not post it again', async () => {
  let respond = (_outcome: PostOutcome) => {};
  bed.endpoint = () =>
    new Promise((resolve) => {
      respond = resolve;
    });
  await bed.insert(1, home);
  await bed.round();
  await bed.pass(31);
  await bed.round();
  respond(fine);
  await bed.settled();
  expect(bed.posts).toHaveLength(1);
  expect(await states()).toStrictEqual(['Delivered']);
});

test('a process that stops releases what it has not begun', async () => {
  await bed.insert(1, home);
  await bed.round();
  bed.endpoint = () => new Promise(() => {});
  await bed.insert(10, home);
  await bed.round();
  void bed.poster.drain();
  const claimed = () => database.knex('receipts').whereNotNull('claimed_by').pluck('id');
  while ((await claimed()).length > 4) await new Promise(setImmediate);
  // Four places after one success.
  expect(bed.posts).toHaveLength(5);
  expect(await claimed()).toHaveLength(4);
  expect(await openProcess().claim(room)).toHaveLength(2);
});
