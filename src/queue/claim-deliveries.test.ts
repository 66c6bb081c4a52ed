/** Which delivery jobs are claimed first, on a real database. */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Priority } from '../model/plan.ts';
import { testDatabase } from '../platform/db/opened-testing.ts';
import { clearTables } from '../platform/db/testing.ts';
import type { DeliveryJob } from './job.ts';
import { createQueue, type Queue } from './queue.ts';
import { claimAll } from './testing.ts';

let queue: Queue;
const database = testDatabase();
beforeAll(async () => {
  queue = createQueue(database.knex);
});
beforeEach(() => clearTables(database.knex, 'jobs'));

async function insert(...jobs: Partial<DeliveryJob>[]): Promise<void> {
  const full = jobs.map(
    (job): DeliveryJob => ({
      product: 'sms',
      channel: 'Safaricom',
      teamId: 'team',
      priority: 2,
      requestIds: [randomUUID()],
      messages: 1,
      ...job,
    }),
  );
  await database.knex.transaction((trx) => queue.insert(trx, 'deliver', full));
}

const many = (count: number, job: Partial<DeliveryJob>) => Array.from({ length: count }, () => job);
const open = (priority: Priority, room: number, after = '') => ({
  lane: 'sms Safaricom',
  priority,
  weight: 1,
  ahead: 0,
  teamsAhead: {},
  room,
  after,
});

test('a claimed job is claimed by nobody else until its lease ends', async () => {
  await insert({});
  const [first] = await claimAll(queue);
  expect(await claimAll(queue)).toEqual([]);
  await database.knex.raw('update jobs set due_at = service_now()');
  const [second] = await claimAll(queue);
  expect([first?.claims, second?.claims]).toEqual([1, 2]);
  const complete = (job: typeof first) =>
    database.knex.transaction((trx) => queue.complete(trx, job === undefined ? [] : [job]));
  await expect(complete(first)).rejects.toThrow('a lease was over before its job was done');
  await complete(second);
  expect(await database.knex('jobs')).toEqual([]);
});

test('two workers never get the same job', async () => {
  await insert(...many(40, {}));
  const claims = await Promise.all(Array.from({ length: 4 }, () => claimAll(queue)));
  const ids = claims.flat().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('teams take turns, regardless of who came first', async () => {
  await insert(...many(30, { teamId: 'flood' }), { teamId: 'small' });
  const { jobs } = await queue.claimDeliveries([open(2, 2)]);
  expect(jobs.map(({ teamId }) => teamId).sort()).toEqual(['flood', 'small']);
});

test('a job of many messages counts as many', async () => {
  await insert(...many(5, { teamId: 'large', messages: 100 }), ...many(5, { teamId: 'small' }));
  const { jobs } = await queue.claimDeliveries([open(2, 105)]);
  expect(jobs.map(({ teamId }) => teamId).sort()).toEqual([
    'large',
    'small',
    'small',
    'small',
    'small',
    'small',
  ]);
});

test('a team that was last is last again only after all others', async () => {
  const teams = Array.from({ length: 40 }, (_, index) => `team-${String(index).padStart(2, '0')}`);
  await insert(...teams.flatMap((teamId) => many(3, { teamId })));
  const served: string[] = [];
  let after = '';
  for (let round = 0; round < 40; round += 1) {
    const { jobs } = await queue.claimDeliveries([open(2, 1, after)]);
    after = jobs[0]?.teamId ?? '';
    served.push(after);
  }
  expect(new Set(served).size).toBe(40);
});

test('in a lane without room only expiring messages are claimed', async () => {
  await insert({}, { validSeconds: 0, teamId: 'expires' }, { validSeconds: 60 });
  const { jobs, lanes } = await queue.claimDeliveries([]);
  expect([jobs.map(({ teamId }) => teamId), lanes]).toEqual([['expires'], ['sms Safaricom']]);
});

test('a claim reads as many rows as it needs, however many wait', async () => {
  await insert(...many(200, {}));
  const { knex } = database;
  await knex.raw(
    `insert into jobs (queue, lane, priority, team_id, data)
     select 'deliver', 'sms Safaricom', 2, 'team', '{}' from generate_series(1, 20000)`,
  );
  await knex.raw('analyze jobs');
  const read = async () => {
    await knex.raw('select pg_stat_force_next_flush()');
    const { rows } = await knex.raw(
      `select coalesce(idx_tup_fetch, 0) + seq_tup_read as n from pg_stat_user_tables where relname = 'jobs'`,
    );
    return Number(rows[0].n);
  };
  // The same session, or its counts would be seen some time later.
  await knex.transaction(async (trx) => {
    const { rows } = await trx.raw('select 1 as n');
    expect(rows).toEqual([{ n: 1 }]);
  });
  const before = await read();
  const { jobs } = await queue.claimDeliveries([open(0, 8), open(1, 8), open(2, 8)]);
  expect(jobs).toHaveLength(8);
  if (database.embedded) expect((await read()) - before).toBeLessThan(200);
});
