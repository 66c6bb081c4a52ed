/** What one replay posts again, and that replays cost no more than their limits, however often they are called. */
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { testDatabase } from '../platform/db/opened-testing.ts';
import { clearTables } from '../platform/db/testing.ts';
import { originKeyOf } from './callback/callback-url.ts';
import { countReplay, type Replay, type ReplayLimits, replayReceipts } from './resend-repository.ts';

const database = testDatabase();
beforeAll(async () => {
  await database.knex('teams').insert(['team', 'other'].map((id) => ({ id, name: id })));
});
beforeEach(() => clearTables(database.knex, 'receipts, receipt_replays, retention_progress'));

const limits: ReplayLimits = { perCall: 1_000, perHour: 3_000, perSecond: 50 };
const everything: Replay = { from: new Date(0), which: 'all' };
const replay = (asked: Partial<Replay> = {}, team = 'team') =>
  database.knex.transaction((trx) => replayReceipts(trx, team, { ...everything, ...asked }, limits));
const counted = (asked: Partial<Replay> = {}) =>
  countReplay(database.knex, 'team', { ...everything, ...asked }, limits);

const origins = ['https://a.example', 'https://b.example'] as const;

/** Receipts of two origins in turn, created a second apart. */
const insert = (count: number, columns: object = {}) =>
  database.knex.raw(
    `insert into receipts (id, request_id, message_id, team_id, client_id, url, origin_key, body, state, created_at)
     select gen_random_uuid(), gen_random_uuid(), n, :team_id, 'client', (array[:a, :b])[n % 2 + 1],
       (array[:aKey, :bKey])[n % 2 + 1]::uuid, :body, :state, :first::timestamptz + n * interval '1 second'
     from generate_series(1, :count) as n`,
    {
      ...{ count, team_id: 'team', body: '{}', state: 'Exhausted', first: '2030-01-01T00:00:00Z' },
      ...{ a: origins[0], b: origins[1], aKey: originKeyOf(origins[0]), bKey: originKeyOf(origins[1]) },
      ...columns,
    },
  );
const count = async (where: object) =>
  Number((await database.knex('receipts').where(where).count())[0]?.count);
/** All that wait are posted, and acknowledged. */
const deliver = async (): Promise<number> =>
  database.knex('receipts').where({ state: 'Waiting' }).update({ state: 'Delivered' });

describe('a replay', () => {
  test.each<[Replay['which'], number]>([
    ['exhausted', 3],
    ['all', 5],
  ])('of %s', async (which, receipts) => {
    await insert(2, { state: 'Delivered' });
    await insert(3);
    await insert(1, { body: '' });
    await insert(1, { team_id: 'other' });
    expect(await replay({ which })).toEqual({ receipts, more: false });
    const [waiting, delivered] = [{ state: 'Waiting' }, { state: 'Delivered' }];
    expect([await count(waiting), await count(delivered)]).toEqual([receipts, 5 - receipts]);
    const untouched = [{ team_id: 'other' }, { body: '' }].map((one) =>
      count({ ...one, state: 'Exhausted' }),
    );
    expect(await Promise.all(untouched)).toEqual([1, 1]);
  });

  test('of what was created since a time', async () => {
    await insert(3);
    expect(await replay({ from: new Date('2030-01-01T00:00:02Z') })).toEqual({ receipts: 2, more: false });
  });

  test.each<[string, Partial<Replay>, number]>([
    ['an origin', { origin: origins[0] }, 2],
    ['a URL', { url: origins[1] }, 3],
    ['a URL of which the database has none', { url: `${origins[1]}/receipts` }, 0],
    ['a period', { to: new Date('2030-01-01T00:00:03Z') }, 2],
  ])('of %s', async (_what, asked, receipts) => {
    await insert(5);
    expect(await counted(asked)).toMatchObject({ receipts, more: false });
    expect(await replay(asked)).toEqual({ receipts, more: false });
  });

  test('of a long history reads none of what was erased', async () => {
    await insert(1_500, { body: '' });
    await insert(1, { first: '2030-02-01T00:00:00Z' });
    await database
      .knex('retention_progress')
      .insert({ team_id: 'team', duty: 'receipts', at: '2030-01-15T00:00:00Z' });
    expect(await replay()).toEqual({ receipts: 1, more: false });
  });
});

describe('a count', () => {
  test('is of what the replay posts then, and posts nothing', async () => {
    await insert(1_200);
    const [oldest, newest] = ['2030-01-01T00:00:01Z', '2030-01-01T00:16:40Z'].map((at) => new Date(at));
    expect(await counted()).toEqual({ receipts: 1_000, more: true, oldest, newest });
    expect(await count({ state: 'Waiting' })).toBe(0);
    await replay();
    await deliver();
    expect(await counted()).toMatchObject({ receipts: 200, more: false });
    await replay();
    expect(await counted()).toEqual({ receipts: 0, more: false, oldest: null, newest: null });
  });

  test('is within the hour of the team, as the replay is', async () => {
    await insert(1_000);
    await database.knex('receipt_replays').insert({ team_id: 'team', receipts: 2_900 });
    expect(await counted()).toMatchObject({ receipts: 100, more: true });
    expect(await replay()).toEqual({ receipts: 100, more: true });
    await database.knex('receipt_replays').update({ receipts: 3_000 });
    await expect(counted()).rejects.toMatchObject({ status: 429 });
  });
});

describe('replays one after another', () => {
  test('post each receipt once in an hour, the oldest first, and say when there are more', async () => {
    await insert(2_500);
    const replayed = [];
    for (let call = 1; call <= 11; call += 1) {
      replayed.push(await replay());
      await deliver();
    }
    expect(replayed.slice(0, 3)).toEqual([
      { receipts: 1_000, more: true },
      { receipts: 1_000, more: true },
      { receipts: 500, more: false },
    ]);
    expect(replayed.slice(3)).toEqual(Array(8).fill({ receipts: 0, more: false }));
  });

  test('post no more than the hour of the team, whatever they are of', async () => {
    await insert(10_000);
    let posted = 0;
    for (let call = 1; call <= 3; call += 1) posted += (await replay()).receipts;
    expect(posted).toBe(3_000);
    for (let call = 4; call <= 11; call += 1)
      await expect(replay()).rejects.toMatchObject({
        status: 429,
        desc: 'The limit of 3000 replayed receipts per hour is exceeded.',
        headers: { 'Retry-After': expect.stringMatching(/^(3[56]\d\d)$/) },
      });
    expect(await count({ state: 'Waiting' })).toBe(3_000);
    await insert(1, { team_id: 'other' });
    expect(await replay({}, 'other')).toEqual({ receipts: 1, more: false });

    await database.knex.raw(`update receipt_replays set began_at = began_at - interval '1 hour 1 second'`);
    expect((await replay()).receipts).toBe(1_000);
  });

  test('may repeat a receipt after an hour', async () => {
    await insert(1);
    await replay();
    await deliver();
    expect((await replay()).receipts).toBe(0);
    await database.knex.raw(`update receipts set replayed_at = replayed_at - interval '1 hour 1 second'`);
    expect((await replay()).receipts).toBe(1);
  });

  test('are due at the pace of the team, over all calls and origins', async () => {
    await insert(2_030);
    while ((await replay()).more);
    const { rows } = await database.knex.raw(
      `select floor(extract(epoch from next_attempt_at - (select min(next_attempt_at) from receipts)))::integer as second,
         count(*)::integer as due, min(created_at) as first, max(created_at) as last
       from receipts where state = 'Waiting' group by 1 order by 1`,
    );
    expect(rows).toHaveLength(41);
    for (const { due } of rows) expect(due).toBeLessThanOrEqual(limits.perSecond);
    for (const [index, { first }] of rows.entries())
      if (index > 0) expect(first.getTime()).toBeGreaterThan(rows[index - 1].last.getTime());
  });

  test.each([
    ['an hour that has begun', { began_at: new Date('2999-01-01') }],
    ['the place in the line', { due_until: new Date('2999-01-01') }],
  ])('are not held up by %s before the clock was set back', async (_what, columns) => {
    await insert(1);
    await database.knex('receipt_replays').insert({ team_id: 'team', receipts: 2_000, ...columns });
    expect((await replay()).receipts).toBe(1);
    const { rows } = await database.knex.raw(
      `select count(*)::integer as soon from receipts where next_attempt_at <= service_now() + interval '61 seconds'`,
    );
    expect(rows).toEqual([{ soon: 1 }]);
  });
});

// The embedded database has one session: two transactions never run at once there.
const withSessions = process.env.DATABASE_URL === undefined ? test.skip : test;
withSessions('a second replay of the team at the same time is rejected, of another team not', async () => {
  await insert(1);
  await insert(1, { team_id: 'other' });
  await database.knex.transaction(async (trx) => {
    await replayReceipts(trx, 'team', everything);
    await expect(replay()).rejects.toMatchObject({ status: 429, headers: { 'Retry-After': '2' } });
    expect(await replay({}, 'other')).toEqual({ receipts: 1, more: false });
  });
  expect((await replay()).receipts).toBe(0);
});
