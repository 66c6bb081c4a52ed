/** Kills the service again and again while old rows leave: each is in the database or in one segment, and all verifies. */
import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import { openArchive } from '../../../src/archive/open-archive.ts';
import { readSegment } from '../../../src/archive/read-segment.ts';
import { type Line, linesOf } from '../../../src/archive/segment.ts';
import { readSegments } from '../../../src/archive/segment-repository.ts';
import { verifyArchive } from '../../../src/archive/verify.ts';
import type { Secrets } from '../../../src/clients/secrets.ts';
import { sealLedgers } from '../../../src/ledger/seal-repository.ts';
import { checkLedgers } from '../../../src/manage/units/archived-ledgers.ts';
import { createRandom } from '../../../src/partner/sandbox/random.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { sized } from '../../../src/platform/sized-testing.ts';
import { callerAt } from '../../support/management/caller.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { rowsOf, withStoredData } from '../../support/service/stored-data.ts';

const kills = Number(process.env.CRASH_TRIALS ?? sized(3, 24));
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const random = createRandom(seed);
/** As many are added before each kill. */
const requests = 400;
const messages = 3;
const accountId = 1_000_000;

let service: Service;
let secrets: Secrets;
let directory: string;

beforeAll(async () => {
  service = await startService({ LOG_LEVEL: 'error' }, async (prepared) => {
    secrets = prepared.secrets;
    await prepared.knex.raw(`
      insert into teams (id, name) values ('old', 'Old');
      insert into accounts (id, team_id, product, variant) overriding system value
      values (${accountId}, 'old', 'sms', 'Safaricom')`);
  });
  await service.stop();
  directory = `${service.dataDirectory}/archive-of-test`;
  service.environment.ARCHIVE_URL = pathToFileURL(directory).href;
}, 120_000);
afterAll(() => service?.dispose());

/** Whoever was killed. */
const dueAtOnce = `update archive set next_round_at = '-infinity', held_until = '-infinity'`;

/** Of 401 days ago: erased, and counted. */
async function store(knex: Knex): Promise<void> {
  const old = `service_now() - interval '401 days'`;
  await knex.raw(`
    with request as (
      insert into requests (id, team_id, client_id, operation, resource_id, created_at)
      select gen_random_uuid(), 'old', 'orders', 'sendSms', 'orders', ${old} from generate_series(1, ${requests})
      returning id
    ), message as (
      insert into messages (request_id, team_id, position, product, channel, phone, content, units, state, final_at)
      select id, 'old', position, 'sms', 'Safaricom', '#', '', 1, 'Delivered', ${old}
      from request, generate_series(1, ${messages}) position returning id, request_id
    ), receipt as (
      insert into receipts (id, request_id, message_id, team_id, client_id, url, origin_key, body, state)
      select gen_random_uuid(), request_id, id, 'old', 'orders', 'https://shop.example', request_id, '', 'Delivered' from message
    ), credited as (
      update accounts set balance = balance + ${requests} where id = ${accountId}
    )
    insert into ledger_entries (account_id, units, reason, request_id, created_at)
    select ${accountId}, 1, 'Correction', id, ${old} from request`);
  await knex.raw(`
    update count_progress set message_id = (select max(id) from messages);
    ${dueAtOnce}`);
  while (await sealLedgers(knex, secrets));
}

/** Waits for a moment of the archiving: any, or one behind a file of a new segment. */
async function passTo(file: RegExp | undefined, laterMs: number): Promise<void> {
  const files = () =>
    (existsSync(directory) ? readdirSync(directory) : []).filter((name) => file?.test(name));
  const before = files().length;
  while (file !== undefined && files().length === before) await delay(2);
  await delay(random() * laterMs);
}
const moments = [
  () => passTo(undefined, 300),
  () => passTo(/ndjson\.gz/, 30),
  () => passTo(/^[0-9]+\.json$/, 100),
  () => passTo(/^[0-9]+\.json$/, 1_000),
];

interface Stored {
  id: string;
  messages: number;
  receipts: number;
}

/** Returns how many requests are in the database, in a segment that leaves, and in one that has left. */
async function judge(knex: Knex, stored: number) {
  const here = await rowsOf<Stored>(
    knex,
    `select r.id, count(distinct m.id)::integer as messages, count(c.id)::integer as receipts
     from requests r left join messages m on m.request_id = r.id left join receipts c on c.message_id = m.id
     where r.team_id = 'old' group by r.id`,
  );
  for (const row of here) expect(row).toMatchObject({ messages, receipts: messages });
  const [{ alone }] = (await rowsOf<{ alone: number }>(
    knex,
    `select count(*)::integer as alone from messages m
     where team_id = 'old' and not exists (select from requests where id = m.request_id)`,
  )) as [{ alone: number }];
  expect(alone).toBe(0);

  const store = openArchive(service.environment.ARCHIVE_URL ?? '');
  const [leaving, left] = [new Set<string>(), new Set<string>()];
  for await (const { manifest, leftAt } of readSegments(knex))
    for await (const text of linesOf(await readSegment(store, manifest))) {
      const line: Line = JSON.parse(text);
      if (line.kind !== 'request') continue;
      expect([leaving.has(line.request.id), left.has(line.request.id)]).toEqual([false, false]);
      (leftAt === null ? leaving : left).add(line.request.id);
    }
  expect(here.filter(({ id }) => left.has(id))).toEqual([]);
  expect(new Set([...leaving, ...left, ...here.map(({ id }) => id)]).size).toBe(stored);

  const { faults, ledgers } = await verifyArchive(store, readSegments(knex));
  expect(faults).toEqual([]);
  const management = {
    knex,
    clock: systemClock,
    actor: { kind: 'command line', name: 'tester' } as const,
    team: undefined,
    trustedIssuers: [],
    scopes: () => [],
    secrets: async () => secrets,
  };
  const [ledger] = (await checkLedgers(management, ledgers)).filter(({ account }) =>
    account.startsWith('old/'),
  );
  expect(ledger).toMatchObject({ problem: null, entries: stored, balance: stored });
  return { here: here.length, leaving: leaving.size, left: left.size };
}

test(
  `SEED=${seed}: ${kills} kills lose nothing, and archive nothing twice`,
  async () => {
    let unfinished = 0;
    for (let kill = 1; kill <= kills; kill += 1) {
      await withStoredData(service, store);
      const moment = moments[kill % moments.length]?.();
      await service.restart();
      await moment;
      await service.kill();
      const { leaving } = await withStoredData(service, (knex) => judge(knex, kill * requests));
      if (leaving > 0) unfinished += 1;
    }
    // Else the test has lost its edge.
    expect(unfinished).toBeGreaterThan(0);

    const [last] = await withStoredData(service, async (knex) => {
      await knex.raw(dueAtOnce);
      return knex('requests')
        .where({ team_id: 'old' })
        .orderByRaw('created_at desc, id desc')
        .limit(1)
        .pluck('id');
    });
    await service.restart();
    const { url, key } = service.management;
    const isHere = async () => (await callerAt(url, key)(`GET /requests/${last}`)).status === 200;
    while (last !== undefined && (await isHere())) await delay(50);
    await service.stop();
    const { here, leaving, left } = await withStoredData(service, (knex) => judge(knex, kills * requests));
    expect([here, leaving + left]).toEqual([0, kills * requests]);
  },
  120_000 + kills * 20_000,
);
