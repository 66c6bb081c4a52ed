/** How a claim shares free slots: between teams first, then between the origins of each. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Database } from '../../db/knex.ts';
import { openTestDatabase } from '../../db/testing.ts';
import { originKeyOf } from '../callback/callback-url.ts';
import { createReceiptRepository, type ReceiptRepository } from './repository.ts';
import type { FreeSlots, OriginLoad, TeamLoad } from './slots.ts';

let database: Database;
let repository: ReceiptRepository;

beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.knex.raw('truncate receipts, receipt_origins');
  repository = createReceiptRepository(database.knex, randomUUID());
});

/** Due receipts of a team, the same number for each origin. */
async function insert(teamId: string, origins: readonly string[], count = 1, dueSeconds = 10): Promise<void> {
  await database.knex.raw(
    `insert into receipts (id, request_id, message_id, team_id, client_id, url, origin_key, body, next_attempt_at)
     select gen_random_uuid(), gen_random_uuid(), n, :teamId, 'client', o.origin || '/', o.key, '{}',
       service_now() - :dueSeconds * interval '1 second'
     from json_to_recordset(:origins::json) as o(origin text, key uuid), generate_series(1, :count::integer) as n`,
    {
      teamId,
      origins: JSON.stringify(origins.map((origin) => ({ origin, key: originKeyOf(origin) }))),
      count,
      dueSeconds,
    },
  );
}

const many = (count: number) => Array.from({ length: count }, (_, n) => `https://${n}.example`);
const nothingUnderWay: FreeSlots = { limit: 1_000, newcomerLimit: 1_000, teams: [], origins: [] };
const claim = async (free: Partial<FreeSlots> = {}) =>
  (await repository.claim({ ...nothingUnderWay, ...free })).receipts;

/** How many receipts of each team, or whatever else is told by `key`, a claim takes. */
async function claimed(
  free: Partial<FreeSlots>,
  key: 'teamId' | 'url' = 'teamId',
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const receipt of await claim(free)) counts[receipt[key]] = (counts[receipt[key]] ?? 0) + 1;
  return counts;
}

const proven = (teamId: string, origin: string, places: number, underWay = 0): OriginLoad => ({
  teamId,
  originKey: originKeyOf(origin),
  underWay,
  places,
});
const load = (teamId: string, underWay: number, newcomersUnderWay = underWay): TeamLoad => ({
  teamId,
  underWay,
  newcomersUnderWay,
  newcomerPlaces: 1_000,
});
const shared = 'https://shared.example';
const own = 'https://own.example';

describe('teams', () => {
  test.each<[string, Partial<FreeSlots>, Record<string, number>]>([
    ['equal shares when all is free', { newcomerLimit: 30 }, { loud: 10, other: 10 }],
    ['the one with less under way first', { newcomerLimit: 12, teams: [load('loud', 8)] }, { other: 6 }],
    [
      'as many posts as are still free',
      { newcomerLimit: 30, teams: [load('loud', 6)] },
      { loud: 6, other: 12 },
    ],
    [
      'no more newcomers than a team may have',
      { newcomerLimit: 100, teams: [{ ...load('loud', 1), newcomerPlaces: 4 }] },
      { loud: 3, other: 20 },
    ],
    ['of newcomer slots as of all slots', { limit: 30 }, { loud: 10, other: 10 }],
  ])('have %s', async (_rule, free, counts) => {
    await insert('loud', many(1_500), 1, 3_600);
    await insert('other', many(20));
    expect(await claimed(free)).toStrictEqual(counts);
  });

  test('one alone leaves half of the free slots to those that come later', async () => {
    await insert('loud', many(200));
    expect(await claimed({ newcomerLimit: 100 })).toStrictEqual({ loud: 50 });
    await insert('late', [own]);
    expect(await claimed({ newcomerLimit: 50, teams: [load('loud', 50)] })).toStrictEqual({ late: 1 });
  });

  test('that share an origin have places of their own there, however many receipts one has', async () => {
    await insert('loud', [shared], 23_000, 3_600);
    await insert('quiet', [shared], 3);
    const origins = [proven('loud', shared, 16, 16), proven('quiet', shared, 16)];
    expect(await claimed({ teams: [load('loud', 16)], origins })).toStrictEqual({ quiet: 3 });
  }, 60_000);

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
  const none = { underWay: 0, newcomersUnderWay: 0 };
  test.each<[string, Partial<FreeSlots>, number, number]>([
    ['two of each newcomer', {}, 2, 2],
    ['as many of a proven one as it has room for', { origins: [proven('team', own, 7)] }, 2, 7],
    ['what is under way fills places', { origins: [proven('team', own, 7, 5)] }, 2, 2],
    ['nothing of one without room', { origins: [proven('team', own, 4, 4)] }, 2, 0],
    ['one of each before two of one', { limit: 4, origins: [proven('team', own, 9)] }, 1, 1],
    [
      'of newcomers as many as are free for them',
      { newcomerLimit: 2, origins: [proven('team', own, 9)] },
      1,
      9,
    ],
    ['the proven ones if none is free', { newcomerLimit: 0, origins: [proven('team', own, 9)] }, 0, 9],
    [
      'of newcomers as many as the team may have',
      { teams: [{ teamId: 'team', ...none, newcomerPlaces: 1 }], origins: [proven('team', own, 9)] },
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
    expect(await claimed({ newcomerLimit: 4 }, 'url')).toStrictEqual({ [`${own}/`]: 2 });
    expect(await claimed({}, 'url')).toStrictEqual({ [`${own}/`]: 2, [`${shared}/`]: 1 });
  });

  test('are all found, even if they are more than one claim looks at, and proven ones in every claim', async () => {
    await insert('team', many(2_500));
    await insert('team', [own], 100);
    await insert('other', [own], 100);
    const free = {
      limit: 10_000,
      newcomerLimit: 10_000,
      origins: [proven('team', own, 1), proven('other', own, 1)],
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
