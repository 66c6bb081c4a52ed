/** Which delivery jobs are claimed first, on a real database. */
import { beforeEach, expect, test } from '@jest/globals';
import type { Priority } from '../model/plan.ts';
import { clearTables } from '../platform/db/testing.ts';
import type { DeliveryJob } from './job.ts';
import { claimAll, openedQueue } from './testing.ts';

const opened = openedQueue();
beforeEach(() => clearTables(opened.knex, 'jobs'));

const insert = (...jobs: Partial<DeliveryJob>[]) => opened.insert(jobs);
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
  const [first] = await claimAll(opened.queue);
  expect(await claimAll(opened.queue)).toEqual([]);
  await opened.knex.raw('update jobs set due_at = service_now()');
  const [second] = await claimAll(opened.queue);
  expect([first?.claims, second?.claims]).toEqual([1, 2]);
  const complete = (job: typeof first) =>
    opened.knex.transaction((trx) => opened.queue.complete(trx, job === undefined ? [] : [job]));
  await expect(complete(first)).rejects.toThrow('a lease was over before its job was done');
  await complete(second);
  expect(await opened.knex('jobs')).toEqual([]);
});

test('two workers never get the same job', async () => {
  await insert(...many(40, {}));
  const claims = await Promise.all(Array.from({ length: 4 }, () => claimAll(opened.queue)));
  const ids = claims.flat().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('teams take turns, regardless of who came first', async () => {
  await insert(...many(30, { teamId: 'flood' }), { teamId: 'small' });
  const { jobs } = await opened.queue.claimDeliveries([open(2, 2)]);
  expect(jobs.map(({ teamId }) => teamId).sort()).toEqual(['flood', 'small']);
});

test('a job of many messages counts as many', async () => {
  await insert(...many(5, { teamId: 'large', messages: 100 }), ...many(5, { teamId: 'small' }));
  const { jobs } = await opened.queue.claimDeliveries([open(2, 105)]);
  expect(jobs.map(({ teamId }) => teamId).sort()).toEqual(['large', ...Array(5).fill('small')]);
});

test('a team that was last is last again only after all others', async () => {
  const teams = Array.from({ length: 40 }, (_, index) => `team-${String(index).padStart(2, '0')}`);
  await insert(...teams.flatMap((teamId) => many(3, { teamId })));
  const served: string[] = [];
  let after = '';
  for (let round = 0; round < 40; round += 1) {
    const { jobs } = await opened.queue.claimDeliveries([open(2, 1, after)]);
    after = jobs[0]?.teamId ?? '';
    served.push(after);
  }
  expect(new Set(served).size).toBe(40);
});

test('in a lane without room only expiring messages are claimed', async () => {
  await insert({}, { validSeconds: 0, teamId: 'expires' }, { validSeconds: 60 });
  const { jobs, lanes } = await opened.queue.claimDeliveries([]);
  expect([jobs.map(({ teamId }) => teamId), lanes]).toEqual([['expires'], ['sms Safaricom']]);
});

test('a claim reads as many rows as it needs, however many wait', async () => {
  await insert(...many(200, {}));
  const { knex } = opened;
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
  const before = await read();
  const { jobs } = await opened.queue.claimDeliveries([open(0, 8), open(1, 8), open(2, 8)]);
  expect(jobs).toHaveLength(8);
  if (opened.embedded) expect((await read()) - before).toBeLessThan(200);
});
