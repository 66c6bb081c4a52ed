/** Several processes on one account: together never more than it allows, whatever dies, and soon all of it again. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createRandom } from '../../partner/sandbox/random.ts';
import type { Database } from '../../platform/db/knex.ts';
import { clearTables, openTestDatabase } from '../../platform/db/testing.ts';
import { type Account, noShare, type Share } from '../contract/share.ts';
import { createLeases, type Leases } from './lease-repository.ts';
import { createRate } from './rate.ts';
import { shareOut } from './sharing.ts';
import { createStateRepository } from './state-repository.ts';

const leaseSeconds = 20;
const roundMs = 2_000;
const seed = Number(process.env.SEED);

let database: Database;
/** The database's clock and that of every process. */
let nowMs: number;
const clock = { elapsedMs: () => nowMs };

beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
  await database.knex.raw('create table test_clock (ms float8)');
  await database.knex.raw('insert into test_clock values (0)');
  await database.knex.raw(`create or replace function service_now() returns timestamptz language sql stable
    as $body$ select timestamptz '2026-11-26' + ms * interval '1 ms' from test_clock $body$`);
});
afterAll(async () => {
  await database.knex.raw(`create or replace function service_now() returns timestamptz language sql stable parallel safe
    as $body$ select now() $body$`);
  await database.knex.raw('drop table test_clock');
  await database.close();
});
beforeEach(async () => {
  await clearTables(database.knex, 'connectors, connector_leases, connector_states');
  await database.knex('connectors').insert({ name: 'smsc', kind: 'smpp' });
  nowMs = 0;
  await setClock();
});

const setClock = () => database.knex('test_clock').update({ ms: nowMs });

/** A worker that sends as much as it may. */
function startWorker(name: string, account: Account) {
  const leases: Leases = createLeases(database.knex, { process: name, holder: `${name}:1`, leaseSeconds });
  const states = createStateRepository(database.knex, name);
  const rate = createRate(0);
  let share: Share & { untilMs: number } = { ...noShare, untilMs: 0 };
  const worker = {
    alive: true,
    databaseAway: false,
    nextRoundMs: nowMs,
    sentMs: [] as number[],
    parts: () => (worker.alive && nowMs < share.untilMs ? share.parts : []),
    round: async () => {
      worker.nextRoundMs = nowMs + roundMs;
      await setClock();
      if (worker.databaseAway) return;
      const use = async (next: Share) => {
        share = { ...next, untilMs: nowMs + next.forMs };
        rate.set(next.ratePerSecond);
      };
      await shareOut(leases, [{ name: 'smsc', account, use }], clock);
      await states.save([
        {
          name: 'smsc',
          condition: 'open',
          reason: null,
          state: undefined,
          throttled: false,
          lastError: null,
        },
      ]);
    },
    send: () => {
      while (worker.parts().length > 0 && rate.waitMs(nowMs) === 0) {
        rate.spend(nowMs);
        worker.sentMs.push(nowMs);
      }
    },
    stop: async () => {
      worker.alive = false;
      await setClock();
      await leases.releaseAll();
      await states.forget();
    },
  };
  return worker;
}
type Worker = ReturnType<typeof startWorker>;

/** Lets time pass; all that live do their rounds and send. Expects that no part has two users. */
async function pass(
  workers: readonly Worker[],
  ms: number,
  until: () => boolean = () => false,
): Promise<void> {
  for (const endMs = nowMs + ms; nowMs < endMs && !until(); ) {
    nowMs += 20;
    for (const worker of workers) {
      if (!worker.alive || nowMs < worker.nextRoundMs) continue;
      await worker.round();
      const used = workers.flatMap((one) => one.parts());
      expect(new Set(used).size).toBe(used.length);
    }
    for (const worker of workers) worker.send();
  }
}

function expectWithin(workers: readonly Worker[], perSecond: number): void {
  const sent = workers.flatMap(({ sentMs }) => sentMs).sort((a, b) => a - b);
  expect(sent.length).toBeGreaterThan(0);
  const tooEarly = sent.filter(
    (atMs, place) => atMs < (sent[place - perSecond] ?? Number.NEGATIVE_INFINITY) + 1_000,
  );
  expect(tooEarly).toEqual([]);
}

describe('one bind and 50 a second', () => {
  const account = { parts: 1, ratePerSecond: 50 };

  test('the second worker stands by, and sends within 40 s of the death of the first, ten times', async () => {
    const workers = [startWorker('0', account), startWorker('1', account)];
    await pass(workers, 5_000);
    expect(workers.map((worker) => worker.parts())).toEqual([[0], []]);
    for (let death = 0; death < 10; death += 1) {
      const using = workers.find((worker) => worker.parts().length > 0);
      if (using === undefined) throw new Error('nobody sends');
      using.alive = false;
      const diedMs = nowMs;
      workers.push(startWorker(`${death + 2}`, account));
      await pass(workers, 40_000, () =>
        workers.some((worker) => worker.sentMs.some((atMs) => atMs > diedMs)),
      );
      expect(nowMs - diedMs).toBeLessThan(leaseSeconds * 1_000 + 2 * roundMs);
    }
    expectWithin(workers, 50);
  });

  test('a worker that stops is followed at its next look, a second after what it sent', async () => {
    const [first, second] = [startWorker('0', account), startWorker('1', account)];
    await pass([first, second], 5_000);
    await first.stop();
    const stoppedMs = nowMs;
    await pass([second], 10_000, () => second.sentMs.length > 0);
    expect(nowMs - stoppedMs).toBeLessThanOrEqual(1_000 + roundMs);
    expectWithin([first, second], 50);
  });

  test('a worker that cannot renew stops before its lease ends', async () => {
    const [first, second] = [startWorker('0', account), startWorker('1', account)];
    await pass([first, second], 5_000);
    first.databaseAway = true;
    await pass([first, second], 40_000, () => first.parts().length === 0);
    expect(second.parts()).toEqual([]);
    await pass([first, second], 40_000, () => second.parts().length > 0);
    first.databaseAway = false;
    await pass([first, second], 5_000);
    expect([first.parts(), second.parts()]).toEqual([[], [0]]);
    expectWithin([first, second], 50);
  });
});

test('binds are divided among those that are there, with whole rates that add up', async () => {
  const account = { parts: 4, ratePerSecond: 50 };
  const workers = [startWorker('0', account)];
  await pass(workers, 3_000);
  expect(workers[0]?.parts()).toEqual([0, 1, 2, 3]);
  workers.push(startWorker('1', account));
  await pass(workers, 8_000);
  expect(workers.map((worker) => worker.parts().length)).toEqual([2, 2]);
  const rates = await database.knex('connector_leases').orderBy('part').pluck('rate');
  expect(rates).toEqual([12, 13, 12, 13]);
  expectWithin(workers, 50);
});

test('fewer binds than before: what is beyond is let go', async () => {
  const before = startWorker('0', { parts: 3, ratePerSecond: 30 });
  await pass([before], 3_000);
  const after = startWorker('0', { parts: 1, ratePerSecond: 30 });
  await pass([after], 3_000);
  expect(after.parts()).toEqual([0]);
});

test(`SEED=${seed}: however workers come, go, die and lose the database, never more than the account`, async () => {
  const random = createRandom(seed);
  const account = { parts: 1 + Math.floor(random() * 5), ratePerSecond: 5 + Math.floor(random() * 60) };
  const workers: Worker[] = [startWorker('0', account)];
  const living = () => workers.filter(({ alive }) => alive);
  for (let event = 1; event <= 15; event += 1) {
    const one = living()[Math.floor(random() * living().length)];
    const what = random();
    if (one === undefined || (what < 0.4 && living().length < 4))
      workers.push(startWorker(`${event}`, account));
    else if (what < 0.6) one.alive = false;
    else if (what < 0.7) await one.stop();
    else one.databaseAway = !one.databaseAway;
    await pass(workers, random() * 15_000);
  }
  for (const worker of workers) worker.databaseAway = false;
  if (living().length === 0) workers.push(startWorker('last', account));
  await pass(workers, 60_000, () => workers.flatMap((worker) => worker.parts()).length === account.parts);
  expect(workers.flatMap((worker) => worker.parts()).sort()).toEqual(
    Array.from({ length: account.parts }, (_, part) => part),
  );
  expectWithin(workers, account.ratePerSecond);
});
