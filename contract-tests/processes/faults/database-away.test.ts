/** PostgreSQL goes away under load, abruptly or silently: requests fail, and the service recovers by itself. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sized } from '../../../src/platform/sized-testing.ts';
import { phones, toMany } from '../../support/requests/sms.ts';
import { type Answer, call } from '../../support/service/api.ts';
import { describeOnPostgres } from '../../support/service/on-postgres.ts';
import { type OnRoad, type Road, startOnRoad } from '../../support/service/road.ts';
import { rowsOf, unbalancedAccounts } from '../../support/service/stored-data.ts';

const trials = Number(process.env.AWAY_TRIALS ?? sized(1, 2));
const callers = 8;
const onPostgres = describeOnPostgres('the embedded database lives and dies with its process');

let away: OnRoad;
/** So far. */
let outages = 0;

onPostgres('PostgreSQL', () => {
  beforeAll(async () => {
    away = await startOnRoad(process.env.DATABASE_URL ?? '');
  });
  afterAll(() => away?.end());

  test.each<[string, (road: Road) => void]>([
    ['ends its connections and accepts no new ones', (one) => one.cut()],
    ['stops responding', (one) => one.stall()],
  ])(`that %s, ${trials} times under load: 503, then each key has one effect`, async (_how, goAway) => {
    const accepted = new Map<string, string>();
    for (let trial = 0; trial < trials; trial += 1) {
      const load = startLoad(accepted);
      await load.until(({ ok }) => ok >= callers * 2);
      goAway(away.road);
      // All of it while the database is still down: no caller waits for its return.
      await load.until(({ failedOf }) => failedOf.size === callers);
      await readiness(503);
      away.road.open();
      await readiness(200);
      // One line when it goes and one when it is back, however many requests failed.
      outages += 1;
      while (said('database reachable again') < outages) await delay(50);
      const { ok } = load.seen;
      await load.until((seen) => seen.ok >= ok + callers);
      await load.stop();
    }
    await untilDelivered();
    expect(said('database unreachable')).toBeGreaterThan(0);
    expect(said('database unreachable')).toBeLessThanOrEqual(outages);
    expect([said('background work failed'), said('request failed')]).toEqual([0, 0]);
    const { knex, service } = away;
    const stored = await rowsOf<{ key: string; id: string }>(
      knex,
      `select key, accepted ->> 'requestId' as id from idempotency_keys`,
    );
    for (const [key, id] of accepted) expect(stored).toContainEqual({ key, id });
    expect(await rowsOf(knex, 'select count(*)::integer as requests from requests')).toEqual([
      { requests: stored.length },
    ]);
    expect(await unbalancedAccounts(knex)).toEqual([]);
    expect(service.process.exitCode).toBeNull();
  });
});

const said = (words: string) => away.service.output().split(`"msg":"${words}`).length - 1;

interface Seen {
  ok: number;
  /** Callers that got an error. */
  failedOf: Set<number>;
}

/** Callers that repeat each request with its key until it is accepted. */
function startLoad(accepted: Map<string, string>) {
  const seen: Seen = { ok: 0, failedOf: new Set() };
  let stopping = false;
  let look = () => {};
  const caller = async (number: number) => {
    while (!stopping) {
      const key = randomUUID();
      for (;;) {
        const answer = await send(key);
        if (answer.status === 200) {
          accepted.set(key, answer.body.result.requestId);
          seen.ok += 1;
          look();
          break;
        }
        expect([409, 429, 503]).toContain(answer.status);
        seen.failedOf.add(number);
        look();
        await delay(20);
      }
    }
  };
  const callersEnded = Promise.all(Array.from({ length: callers }, (_, number) => caller(number)));
  return {
    seen,
    until: (enough: (seen: Seen) => boolean) =>
      Promise.race([
        callersEnded.then(() => {}),
        new Promise<void>((resolve) => {
          look = () => {
            if (enough(seen)) resolve();
          };
          look();
        }),
      ]),
    stop: async () => {
      stopping = true;
      await callersEnded;
    },
  };
}

function send(key: string): Promise<Answer> {
  const { service, demo, token } = away;
  return call(service.baseUrl, `/message/${demo.smsServiceId}`, {
    token,
    body: toMany(phones(2)),
    headers: { 'idempotency-key': key },
  });
}

async function readiness(status: number): Promise<void> {
  for (;;) {
    const answer = await call(away.service.baseUrl, '/readyz', { method: 'GET' });
    if (answer.status === status) return;
    await delay(50);
  }
}

/** Jobs that were under way keep their lease; it is set back, as time would. */
async function untilDelivered(): Promise<void> {
  for (;;) {
    await away.knex.raw("update jobs set due_at = now() where claimed and due_at < now() + interval '55 s'");
    const open = await rowsOf(
      away.knex,
      `select id from messages where state in ('Queued', 'Submitted') limit 1`,
    );
    if (open.length === 0) return;
    await delay(200);
  }
}
