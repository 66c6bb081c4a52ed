/** The guard of a team: what it refuses and counts, what a confirmation changes, and how many of several processes' codes are sent. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import type { Plan } from '../../model/plan.ts';
import { testDatabase } from '../../platform/db/opened-testing.ts';
import { clearTables } from '../../platform/db/testing.ts';
import type { OwnLimit } from '../limits/own-limits.ts';
import { planOfSms } from '../plan-testing.ts';
import { createCodeGuard } from './guard.ts';
import { confirmCodes, countCodes, purgeCodes, uncountCodes } from './repository.ts';
import type { PumpingGuard } from './rule.ts';

const database = testDatabase();
beforeEach(() => clearTables(database.knex, 'code_counts, counted_codes, requests'));

const phone = '+254711000001';

const plan = (phones: string[] = [phone], more: Partial<Plan> = {}) =>
  planOfSms({ category: 'AUTHENTICATION', ...more, messages: phones.map((one) => ({ phone: one })) });

const limits = (guard: PumpingGuard): OwnLimit[] => [
  { holder: 'team', id: 't', caps: {}, destinations: {}, guard },
];
const accepts = async (asked: Plan) => {
  const { requestId } = asked.accepted;
  await database.knex('requests').insert({
    id: requestId,
    team_id: 't',
    client_id: 'c',
    operation: 'sendSms',
    resource_id: 's',
  });
  return { accepted: asked.accepted, replayed: false };
};
/** Its id, or the sentence of the refusal. */
const send = (asked: Plan, guard: PumpingGuard = 'Refuse', commit = accepts): Promise<string> =>
  createCodeGuard({
    count: (requests) => countCodes(database.knex, requests),
    uncount: (requestId) => uncountCodes(database.knex, requestId),
  })
    .counted(asked, limits(guard), commit as never)
    .then(
      ({ accepted }) => accepted.requestId,
      (error: Error) => error.message,
    );
const sendMany = (count: number, guard: PumpingGuard = 'Refuse') =>
  Promise.all(Array.from({ length: count }, () => send(plan(), guard)));
const confirm = (requestId: string, team = 't') => confirmCodes(database.knex, requestId, team);
/** Of the country: sent, confirmed, over, over_confirmed. */
const counted = async (place = 'KE') => {
  const row = await database.knex('code_counts').where({ place }).first();
  return row === undefined ? [] : [row.sent, row.confirmed, row.over, row.over_confirmed];
};

const sentence = `Too many codes to the countries or prefixes of these numbers are unconfirmed: ${phone}`;

test('of what many processes accept at once, exactly the limit is sent', async () => {
  const answers = await sendMany(60);
  expect(answers.filter((one) => one !== sentence)).toHaveLength(20);
  expect(await counted()).toEqual([20, 0, 40, 0]);
  expect(await counted('+25471100')).toEqual([20, 0, 40, 0]);
});

test('confirmed codes make room, once each', async () => {
  const [first = ''] = await sendMany(20);
  expect(await send(plan())).toBe(sentence);
  expect([await confirm(first), await confirm(first)]).toEqual([1, 1]);
  expect(await counted()).toEqual([20, 1, 1, 0]);
  expect(await send(plan())).not.toBe(sentence);
  expect(await send(plan())).toBe(sentence);
});

test('a guard that records sends everything, and tells how many of those beyond were confirmed', async () => {
  await sendMany(20, 'Record');
  const beyond = await send(plan(), 'Record');
  expect(await confirm(beyond)).toBe(1);
  expect(await counted()).toEqual([20, 0, 1, 1]);
});

test('only one-time codes count, and only where there is a guard', async () => {
  await send(plan([phone], { category: 'UTILITY' }));
  await send(plan([phone], { confirmation: true }));
  const unguarded = await send(plan(), 'Off');
  expect(await counted()).toEqual([]);
  expect(await confirm(unguarded)).toBe(0);
});

test('what is not accepted in the end is not counted', async () => {
  const fails = async () => {
    throw new Error('short');
  };
  expect(await send(plan(), 'Refuse', fails)).toBe('short');
  await send(plan(), 'Refuse', async (asked) => ({ accepted: asked.accepted, replayed: true }));
  expect(await counted()).toEqual([0, 0, 0, 0]);
});

test('nobody confirms what another team sent', async () => {
  const requestId = await send(plan());
  expect([await confirm(requestId, 'rival'), await confirm(randomUUID())]).toEqual([undefined, undefined]);
  expect(await counted()).toEqual([1, 0, 0, 0]);
});

test('codes can be confirmed for a day, and are counted for longer', async () => {
  const { knex } = database;
  const requestId = await send(plan());
  for (const table of ['counted_codes', 'code_counts'])
    await knex(table).update({ hour: knex.raw(`service_now() - interval '25 hours'`) });
  await purgeCodes(knex);
  expect([await confirm(requestId), await counted()]).toEqual([0, [1, 0, 0, 0]]);
});
