/** That the first attempts of a message's receipts start in their order, and that retries hold nothing back. */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { testDatabase } from '../../platform/db/opened-testing.ts';
import { clearTables } from '../../platform/db/testing.ts';
import { originKeyOf } from '../callback/callback-url.ts';
import { receiptRow } from '../rows-testing.ts';
import type { Room } from './places.ts';
import { createReceiptRepository, type ReceiptRepository } from './repository.ts';

const origin = 'https://client.example';
let repository: ReceiptRepository;
const database = testDatabase();
beforeAll(async () => {
  repository = createReceiptRepository(database.knex, randomUUID());
});
beforeEach(() => clearTables(database.knex, 'receipts, receipt_origins'));

/** Receipts of one message that were made in one transaction, in any order. */
const insert = (messageId: number, sequences: readonly number[]) =>
  database
    .knex('receipts')
    .insert(
      sequences.map((sequence) =>
        receiptRow(origin, { message_id: messageId, sequence, url: `${origin}/${messageId}/${sequence}` }),
      ),
    );

const room: Room = {
  ...{ places: 100, untestedPlaces: 100, teams: [] },
  origins: [{ teamId: 'team', originKey: originKeyOf(origin), taken: 0, places: 100, startable: 100 }],
};

/** What is posted now: message and sequence of each. */
async function claimed(): Promise<string[]> {
  const receipts = await repository.claim(room);
  return receipts.map(({ url }) => url.slice(origin.length + 1)).sort();
}

const rowOf = (url: string) =>
  database
    .knex('receipts')
    .where({ url: `${origin}/${url}` })
    .first();

async function settle(
  url: string,
  state: 'Waiting' | 'Delivered' | 'Exhausted',
  delaySeconds = 0,
): Promise<void> {
  const { id: receiptId } = await rowOf(url);
  const { teamId, originKey } = { teamId: 'team', originKey: originKeyOf(origin) };
  const entry = { at: '2030-01-01T00:00:00.000Z', latencyMs: 1, status: 200 };
  const rest = { counts: true, originWorks: true, entry };
  await repository.settle([{ receiptId, teamId, originKey, origin, state, delaySeconds, ...rest }]);
}

const startedAgo = (url: string, seconds: number) =>
  database.knex.raw(
    `update receipts set started_at = service_now() - ? * interval '1 second' where url = ?`,
    [seconds, `${origin}/${url}`],
  );

test('each waits for the end of the first attempt of the one before, other messages do not', async () => {
  await insert(1, [3, 1, 2]);
  await insert(2, [1]);
  expect(await claimed()).toEqual(['1/1', '2/1']);
  expect(await claimed()).toEqual([]);
  await settle('1/1', 'Delivered');
  expect(await claimed()).toEqual(['1/2']);
  await settle('1/2', 'Exhausted');
  expect(await claimed()).toEqual(['1/3']);
});

test('one that is to be retried holds nothing back', async () => {
  await insert(1, [1, 2]);
  await claimed();
  await settle('1/1', 'Waiting', 60);
  expect(await claimed()).toEqual(['1/2']);
});

test.each([
  ['one whose endpoint does not answer, after a second,', 1.1],
  ['a clock that is set back', -3_600],
])('%s holds nothing back', async (_what, secondsAgo) => {
  await insert(1, [1, 2]);
  await claimed();
  await startedAgo('1/1', secondsAgo);
  expect(await claimed()).toEqual(['1/2']);
});

test('one that is recorded later waits as well, or goes at once when its turn has come', async () => {
  await insert(1, [1]);
  await claimed();
  await insert(1, [2]);
  expect(await claimed()).toEqual([]);
  await settle('1/1', 'Delivered');
  await claimed();
  await settle('1/2', 'Delivered');
  await insert(1, [3]);
  expect(await claimed()).toEqual(['1/3']);
});
