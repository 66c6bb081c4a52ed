/** Counts of messages by hour and day agree with the messages, whenever they are counted and however they change. */
import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Management } from '../../manage/management.ts';
import { dimensionNames, readStats, type Stats } from '../../manage/operation/stats.ts';
import { systemClock } from '../../platform/clock.ts';
import { testDatabase } from '../../platform/db/opened-testing.ts';
import { countMessages, recountMessages } from './count-repository.ts';

const seed = Number(process.env.SEED);
process.stderr.write(`counts of messages: SEED=${seed}\n`);

const start = Date.now() - 20 * 24 * 3_600_000;
let management: Management;
const database = testDatabase();
beforeAll(async () => {
  await database.knex('teams').insert(['acme', 'rival'].map((id) => ({ id, name: id })));
  management = {
    knex: database.knex,
    team: undefined,
    clock: systemClock,
  } as Partial<Management> as Management;
});

const clear = () =>
  database.knex.raw(`truncate requests, messages, message_counts, counted_messages;
    update count_progress set message_id = 0, accepted_at = '-infinity', looked_at_id = 0`);
/** With full days around the hours of the messages. */
const period = { from: new Date(start - 36 * 3_600_000), to: new Date(start + 48 * 3_600_000) };
const all = (team?: string): Promise<Stats['items'][]> =>
  Promise.all(dimensionNames.map(async (by) => (await readStats(management, { by, team, ...period })).items));
const tablesRead = async (name: string) => Number((await database.knex(name).count('* as n').first())?.n);

const reached = (seconds: number) =>
  database.knex.raw(`(select created_at from requests where id = request_id) + ? * interval '1 second'`, [
    seconds,
  ]);

async function accept({ team, product, minute }: { team: string; product: string; minute: number }) {
  const [request] = await database
    .knex('requests')
    .insert({
      id: database.knex.raw('gen_random_uuid()'),
      team_id: team,
      client_id: 'c',
      operation: 'sendSms',
      resource_id: `${team}-${product}`,
      sender: product === 'data' ? null : team.toUpperCase(),
      template_id: minute % 2 === 0 ? 'greeting' : null,
      created_at: new Date(start + minute * 60_000),
    })
    .returning('id');
  const row = {
    request_id: request.id,
    team_id: team,
    product,
    channel: 'Safaricom',
    phone: '+254711000000',
  };
  const texts = [0, 1].map((position) => ({ ...row, position, content: 'x', units: 1 }));
  await database.knex('messages').insert(texts);
}

const step = fc.oneof(
  fc.record({
    kind: fc.constant('accept' as const),
    team: fc.constantFrom('acme', 'rival'),
    product: fc.constantFrom('sms', 'data', 'chatapp'),
    minute: fc.integer({ min: 0, max: 300 }),
  }),
  fc.record({
    kind: fc.constant('change' as const),
    nth: fc.nat({ max: 30 }),
    state: fc.constantFrom('Submitted', 'Delivered', 'Failed', 'Read'),
    seconds: fc.integer({ min: 0, max: 90_000 }),
  }),
  fc.record({ kind: fc.constantFrom('count' as const, 'recount' as const) }),
);

/** A message that is final stays so, but for a bundle that is taken back. */
async function change({ nth, state, seconds }: { nth: number; state: string; seconds: number }) {
  const final = state === 'Failed' || state === 'Read' || state === 'Delivered';
  await database
    .knex('messages')
    .where('id', database.knex('messages').orderBy('id').offset(nth).limit(1).select('id'))
    .where((query) =>
      query.whereNull('final_at').orWhere({ product: 'data', state: state === 'Failed' ? 'Delivered' : '' }),
    )
    .update({
      ...{ state, reached_at: reached(seconds), final_at: final ? reached(seconds) : null },
      connector: seconds % 2 === 0 ? 'smsc' : 'other',
      // An SMS in reserve that was not needed is counted nowhere.
      reason_code: state === 'Failed' && seconds % 3 === 0 ? 'fallback-not-needed' : null,
      details: { billedAs: seconds % 5 === 0 ? 'marketing' : 'utility', billable: String(seconds % 2 === 0) },
    });
}

test('statistics are the same before and after messages are counted, and later changes are counted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      await clear();
      for (const one of steps) {
        if (one.kind === 'accept') await accept(one);
        if (one.kind === 'change') await change(one);
        if (one.kind === 'count') await countMessages(database.knex, 0);
        if (one.kind === 'recount') await recountMessages(database.knex);
      }
      await countMessages(database.knex, 0);
      // Twice: a round may begin behind the first of the counted messages.
      await recountMessages(database.knex);
      await recountMessages(database.knex);
      const counted = [await all(), await all('acme')];
      await database.knex.raw(
        `truncate message_counts; update count_progress set message_id = 0, accepted_at = '-infinity'`,
      );
      expect(counted).toEqual([await all(), await all('acme')]);
    }),
    { seed, numRuns: Number(process.env.COUNT_RUNS ?? 20) },
  );
});

test('messages of the last minutes are not counted yet, but included in the statistics', async () => {
  await clear();
  await database.knex.raw('update count_progress set message_id = 0');
  await accept({ team: 'acme', product: 'sms', minute: 0 });
  await accept({ team: 'acme', product: 'sms', minute: (Date.now() - start) / 60_000 - 1 });
  expect(await countMessages(database.knex)).toBe(false);
  expect([await tablesRead('message_counts'), await tablesRead('counted_messages')]).toEqual([2, 2]);
  const { items } = await readStats(management, { by: 'team', from: period.from, to: new Date() });
  expect(items).toMatchObject([{ key: 'acme', accepted: 4, open: 4 }]);
});

test('the latency is from acceptance to delivery, its percentiles within a fifth', async () => {
  await clear();
  for (let minute = 0; minute < 10; minute += 1) await accept({ team: 'acme', product: 'sms', minute });
  for (let nth = 0; nth < 20; nth += 1)
    await change({ nth, state: 'Delivered', seconds: nth === 0 ? 100 : 2 });
  const [item] = (await readStats(management, { by: 'team', ...period })).items;
  expect(item).toMatchObject({ accepted: 20, delivered: 20, failed: 0, open: 0, meanSeconds: 6.9 });
  for (const seconds of [item?.p50Seconds ?? 0, item?.p95Seconds ?? 0]) {
    expect(seconds).toBeGreaterThan(1.6);
    expect(seconds).toBeLessThan(2.4);
  }
});
