/** How a claim shares free places: between teams first, then between the origins of each. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { testDatabase } from '../../platform/db/opened-testing.ts';
import { clearTables } from '../../platform/db/testing.ts';
import { originKeyOf } from '../callback/callback-url.ts';
import { insertDue } from '../rows-testing.ts';
import type { OriginLoad, Room, TeamLoad } from './places.ts';
import { createReceiptRepository, type ReceiptRepository } from './repository.ts';

let repository: ReceiptRepository;
const database = testDatabase();
beforeEach(async () => {
  await clearTables(database.knex, 'receipts, receipt_origins');
  repository = createReceiptRepository(database.knex, randomUUID());
});

const insert = (teamId: string, origins: readonly string[], count = 1, dueSeconds = 10) =>
  insertDue(database.knex, origins, { teamId, count, dueSeconds });

const many = (count: number) => Array.from({ length: count }, (_, n) => `https://${n}.example`);
const allFree: Room = { places: 1_000, untestedPlaces: 1_000, teams: [], origins: [] };
const claim = (room: Partial<Room> = {}) => repository.claim({ ...allFree, ...room });

/** How many receipts of each team, or whatever else is told by `key`, a claim takes. */
async function claimed(
  room: Partial<Room>,
  key: 'teamId' | 'url' = 'teamId',
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const receipt of await claim(room)) counts[receipt[key]] = (counts[receipt[key]] ?? 0) + 1;
  return counts;
}

const healthy = (teamId: string, origin: string, places: number, taken = 0): OriginLoad => ({
  teamId,
  originKey: originKeyOf(origin),
  taken,
  places,
  startable: places - taken,
});
const load = (teamId: string, taken: number): TeamLoad => ({
  teamId,
  taken,
  takenByUntested: taken,
  untestedPlaces: 1_000,
});
const shared = 'https://shared.example';
const own = 'https://own.example';

describe('teams', () => {
  test.each<[string, Partial<Room>, Record<string, number>]>([
    ['equal shares when all is free', { untestedPlaces: 30 }, { loud: 10, other: 10 }],
    ['the one that has taken less first', { untestedPlaces: 12, teams: [load('loud', 8)] }, { other: 6 }],
    [
      'as many places as are still free',
      { untestedPlaces: 30, teams: [load('loud', 6)] },
      { loud: 6, other: 12 },
    ],
    [
      'no more for untested origins than a team may have',
      { untestedPlaces: 100, teams: [{ ...load('loud', 1), untestedPlaces: 4 }] },
      { loud: 3, other: 20 },
    ],
    ['of all places as of those for untested origins', { places: 30 }, { loud: 10, other: 10 }],
  ])('have %s', async (_rule, free, counts) => {
    await insert('loud', many(1_500), 1, 3_600);
    await insert('other', many(20));
    expect(await claimed(free)).toStrictEqual(counts);
  });

  test('one alone leaves half of the free places to those that come later', async () => {
    await insert('loud', many(200));
    expect(await claimed({ untestedPlaces: 100 })).toStrictEqual({ loud: 50 });
    await insert('late', [own]);
    expect(await claimed({ untestedPlaces: 50, teams: [load('loud', 50)] })).toStrictEqual({ late: 1 });
  });

  test('that share an origin have places of their own there, however many receipts one has', async () => {
    await insert('loud', [shared], 23_000, 3_600);
    await insert('quiet', [shared], 3);
    const origins = [healthy('loud', shared, 16, 16), healthy('quiet', shared, 16)];
    expect(await claimed({ teams: [load('loud', 16)], origins })).toStrictEqual({ quiet: 3 });
  });

  test('park an origin only for themselves', async () => {
    await insert('careless', [shared], 3);
    await insert('careful', [shared], 3);
    await repository.settle(
      Array.from({ length: 20 }, () => ({
        receiptId: '00000000-0000-4000-8000-000000000000',
        teamId: 'careless',
        originKey: originKeyOf(shared),
        origin: shared,
        state: 'Waiting' as const,
        delaySeconds: 5,
        counts: true,
        originWorks: false,
        entry: { at: '2030-01-01T00:00:00.000Z', latencyMs: 1, status: 404 },
      })),
    );
    expect(await claimed({})).toStrictEqual({ careful: 2 });
  });

  test('are all found, even if they are more than one claim looks at', async () => {
    await database.knex.raw(
      `insert into receipts (id, request_id, message_id, team_id, client_id, url, origin_key, body)
       select gen_random_uuid(), gen_random_uuid(), n, 'team ' || n, 'client', 'https://a.example/',
         gen_random_uuid(), '{}' from generate_series(1, 700) as n`,
    );
    expect([(await claim()).length, (await claim()).length]).toStrictEqual([500, 200]);
  });
});

describe('origins of a team', () => {
  const none = { taken: 0, takenByUntested: 0 };
  test.each<[string, Partial<Room>, number, number]>([
    ['two of each untested one', {}, 2, 2],
    ['as many of a healthy one as it has places', { origins: [healthy('team', own, 7)] }, 2, 7],
    ['fewer if some places are taken', { origins: [healthy('team', own, 7, 5)] }, 2, 2],
    ['nothing of one without a free place', { origins: [healthy('team', own, 4, 4)] }, 2, 0],
    ['one of each before two of one', { places: 4, origins: [healthy('team', own, 9)] }, 1, 1],
    [
      'of untested ones as many as are free for them',
      { untestedPlaces: 2, origins: [healthy('team', own, 9)] },
      1,
      9,
    ],
    ['the healthy ones if none is free', { untestedPlaces: 0, origins: [healthy('team', own, 9)] }, 0, 9],
    [
      'of untested ones as many as the team may have',
      { teams: [{ teamId: 'team', ...none, untestedPlaces: 1 }], origins: [healthy('team', own, 9)] },
      1,
      9,
    ],
  ])('%s', async (_rule, free, ofShared, ofOwn) => {
    await insert('team', [shared], 10, 20);
    await insert('team', [own], 10);
    const counts = await claimed(free, 'url');
    expect([counts[`${shared}/`] ?? 0, counts[`${own}/`] ?? 0]).toStrictEqual([ofShared, ofOwn]);
  });

  test('that has failed has one place, behind those that have not', async () => {
    await insert('team', [shared], 10, 3_600);
    await insert('team', [own], 10);
    await database
      .knex('receipt_origins')
      .insert({ team_id: 'team', origin_key: originKeyOf(shared), origin: shared, failures_in_a_row: 1 });
    expect(await claimed({ untestedPlaces: 4 }, 'url')).toStrictEqual({ [`${own}/`]: 2 });
    expect(await claimed({}, 'url')).toStrictEqual({ [`${own}/`]: 2, [`${shared}/`]: 1 });
  });

  test('are all found, even if they are more than one claim looks at, and healthy ones in every claim', async () => {
    await insert('team', many(2_500));
    await insert('team', [own], 100);
    await insert('other', [own], 100);
    const free = {
      places: 10_000,
      untestedPlaces: 10_000,
      origins: [healthy('team', own, 1), healthy('other', own, 1)],
    };
    const found = new Set<string>();
    for (let time = 0; time < 6; time += 1) {
      const urls = (await claim(free)).map(({ teamId, url }) => `${teamId} ${url}`);
      expect(urls).toEqual(expect.arrayContaining([`team ${own}/`, `other ${own}/`]));
      for (const url of urls) found.add(url);
    }
    expect(found.size).toBe(2_502);
  });
});
