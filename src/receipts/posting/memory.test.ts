/** Receipts that the process which recorded them posts itself, against a real database. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Database } from '../../db/knex.ts';
import { openTestDatabase } from '../../db/testing.ts';
import { originKeyOf } from '../callback/callback-url.ts';
import type { OwnedReceipt } from '../owned-receipt.ts';
import { createPosterBed, fine, type PosterBed } from './post-testing.ts';

let database: Database;
let bed: PosterBed;
beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
});
afterAll(() => database.close());
beforeEach(async () => {
  bed = await createPosterBed(database);
});

const home = 'https://receipts.example';
const receipt = (): OwnedReceipt => ({
  id: randomUUID(),
  teamId: 'demo',
  originKey: originKeyOf(home),
  clientId: 'client of demo',
  url: `${home}/`,
  body: '{}',
  attemptsMade: 0,
});
/** The rows of receipts, as a change of state writes them. */
async function write(receipts: readonly OwnedReceipt[], owner: string | null = bed.owner): Promise<void> {
  await database.knex('receipts').insert(
    receipts.map(({ id, teamId, originKey, clientId, url, body }) => ({
      ...{ id, request_id: randomUUID(), message_id: 1, team_id: teamId, client_id: clientId },
      ...{ url, origin_key: originKey, body, owner },
    })),
  );
}
const states = async () =>
  (await database.knex('receipts').select('state', 'owner').orderBy('state')).map(({ state, owner }) => [
    state,
    owner,
  ]);
/** The endpoint has answered, and has more than a newcomer's places. */
async function prove(): Promise<void> {
  await bed.insert(1, home);
  await bed.round();
}

test('is posted at once and recorded, without a claim', async () => {
  await prove();
  const all = [receipt(), receipt(), receipt()];
  expect(all.map(bed.poster.takes)).toStrictEqual([true, true, true]);
  await write(all);
  bed.poster.recorded(all);
  await bed.settled();
  expect(bed.posts).toHaveLength(4);
  expect(new Set(bed.posts.slice(1).map(({ headers }) => headers['webhook-id']))).toStrictEqual(
    new Set(all.map(({ id }) => id)),
  );
  expect(await states()).toStrictEqual(Array(4).fill(['Delivered', null]));
});

test('of an unknown endpoint waits for a claim', async () => {
  let woken = 0;
  bed.poster.onWork(() => {
    woken += 1;
  });
  const one = receipt();
  expect(bed.poster.takes(one)).toBe(false);
  await write([one], null);
  bed.poster.recorded([]);
  expect([woken, bed.posts.length]).toStrictEqual([1, 0]);
  await bed.round();
  expect(await states()).toStrictEqual([['Delivered', null]]);
});

test('whose first attempt fails goes on by its schedule', async () => {
  await prove();
  bed.endpoint = () => ({ kind: 'answered', status: 503, response: 'busy' });
  const one = receipt();
  bed.poster.takes(one);
  await write([one]);
  bed.poster.recorded([one]);
  await bed.settled();
  const row = await database.knex('receipts').where({ id: one.id }).first();
  expect(row).toMatchObject({
    state: 'Waiting',
    owner: null,
    attempts: 1,
    attempt_log: [{ status: 503, response: 'busy' }],
  });
  bed.endpoint = () => fine;
  await bed.pass(7);
  await bed.round();
  expect(await states()).toStrictEqual(Array(2).fill(['Delivered', null]));
});

describe('is released', () => {
  test('if the process stops before it could begin', async () => {
    await prove();
    bed.endpoint = () => new Promise(() => {});
    const all = Array.from({ length: 10 }, receipt);
    for (const one of all) bed.poster.takes(one);
    await write(all);
    bed.poster.recorded(all);
    void bed.poster.drain();
    while ((await states()).filter(([, owner]) => owner === null).length < 7) await new Promise(setImmediate);
    // Four places after one success.
    expect(bed.posts).toHaveLength(5);
    expect((await states()).filter(([, owner]) => owner === bed.owner)).toHaveLength(4);
  });

  test('if its record was never confirmed', async () => {
    await prove();
    const one = receipt();
    bed.poster.takes(one);
    await write([one]);
    await bed.poster.sweep();
    expect(await states()).toContainEqual(['Waiting', bed.owner]);
    await bed.poster.sweep();
    expect(await states()).toContainEqual(['Waiting', null]);
  });
});

test('operators hear when an endpoint begins to fail, is parked and works again: once each', async () => {
  bed.endpoint = () => ({ kind: 'answered', status: 500 });
  await bed.insert(60, home);
  for (let failures = 0; failures < 22; failures += 1) {
    await bed.round();
    await bed.pass(61);
  }
  expect(bed.endpointChanges).toStrictEqual(['failing', 'parked']);
  bed.endpoint = () => fine;
  for (let round = 0; round < 3; round += 1) {
    await bed.pass(61);
    await bed.round();
  }
  expect(bed.endpointChanges).toStrictEqual(['failing', 'parked', 'recovered']);
});
