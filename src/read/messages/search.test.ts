/** Searches of messages and requests: pages match their filters, and read a bounded number of rows. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { testDatabase } from '../../platform/db/opened-testing.ts';
import { type Explained, nodesOf, type PlanNode, rowsOf } from '../../platform/db/plan-testing.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import type { Position } from '../page.ts';
import {
  type MessageFilter,
  scanFor,
  searchMessages,
  searchText,
  searchValues,
} from './message-repository.ts';
import {
  type RequestFilter,
  scanFor as requestScanFor,
  requestSearchText,
  requestSearchValues,
  searchRequests,
} from './request-search-repository.ts';

const seed = Number(process.env.SEED);
const stored = Number(process.env.STORED_MESSAGES ?? 20_000);
process.stderr.write(`searches: SEED=${seed} STORED_MESSAGES=${stored}\n`);

/** Half of the messages of both teams go to it. */
const sharedPhone = '+254711000000';
const none: MessageFilter & RequestFilter = {
  phone: undefined,
  correlator: undefined,
  state: undefined,
  from: undefined,
  to: undefined,
  resource: undefined,
  client: undefined,
  scheduled: undefined,
};

/** Two teams that take turns; requests of one to three messages, some phones very often, few failures. */
const database = testDatabase();
beforeAll(async () => {
  await database.knex('teams').insert(['ours', 'theirs'].map((id) => ({ id, name: id })));
  await database.knex.raw(
    `insert into requests (id, team_id, client_id, operation, resource_id, correlator, send_at, created_at)
     select md5(n::text)::uuid, case n % 2 when 0 then 'ours' else 'theirs' end, 'c-' || n % 7, 'sendSms', 's-' || n % 5,
       case when n % 3 = 0 then 'c-' || n % 50 end,
       -- Of some the time has come.
       case when n % 101 = 0 then now() end,
       -- Several requests are accepted in one transaction, at the same time.
       '2026-11-01T00:00:00Z'::timestamptz + n / 5 * interval '1 second'
     from generate_series(1, ?::integer / 2) n`,
    [stored],
  );
  await database.knex.raw(
    `insert into messages (request_id, team_id, position, product, channel, phone, content, units, state)
     select id, team_id, place, 'sms', 'Safaricom',
       case when n % 4 < 2 then '${sharedPhone}' else '+2547110' || lpad((n % 1000)::text, 5, '0') end, 'x', 1,
       case when n % 997 = 0 then 'Failed' when send_at is not null and n % 2 = 0 then 'Scheduled' when n > ? / 2 - 20 then 'Queued' else 'Delivered' end
     from (select *, row_number() over (order by created_at, id) as n from requests) as r,
       generate_series(0, (n % 3)::integer) as place
     order by n, place`,
    [stored],
  );
  await database.knex.raw('analyze');
});

type Read = (
  after: Position | undefined,
  limit: number,
) => Promise<{ items: string[]; end: Position | undefined }>;

/** What all pages show. */
async function pagesOf(read: Read, limit: number): Promise<{ found: string[]; largest: number }> {
  const found: string[] = [];
  let largest = 0;
  let after: Position | undefined;
  do {
    const { items, end } = await read(after, limit);
    found.push(...items);
    largest = Math.max(largest, items.length);
    after = end;
  } while (after !== undefined);
  return { found, largest };
}

/** What matches, in its order. */
async function matching(
  select: string,
  team: string | undefined,
  filter: MessageFilter | RequestFilter,
): Promise<string[]> {
  const values = { team: null, ...none, ...filter };
  const { rows } = await database.knex.raw<{ rows: { id: string }[] }>(
    `${select} where (:team::text is null or r.team_id = :team)
       and (:correlator::text is null or correlator = :correlator)
       and (:client::text is null or client_id = :client) and (:resource::text is null or resource_id = :resource)
       and created_at >= coalesce(:from, '-infinity')::timestamptz
       and created_at < coalesce(:to, 'infinity')::timestamptz
       and (:scheduled::boolean is not true or exists (
         select from messages s where s.request_id = r.id and s.state = 'Scheduled'))
       and (:phone::text is null or phone = :phone) and (:state::text is null or state = :state)
     group by r.id, m.id order by r.created_at desc, r.id desc, m.id desc`,
    Object.fromEntries(Object.entries({ ...values, team }).map(([name, value]) => [name, value ?? null])),
  );
  return rows.map(({ id }) => id);
}

const instant = fc
  .integer({ min: 0, max: Math.ceil(stored / 10) })
  .map((second) => new Date(Date.UTC(2026, 10, 1) + second * 1_000).toISOString());
const orNone = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });

const team = orNone(fc.constantFrom('ours'));
const pageSize = fc.integer({ min: 40, max: 100 });
const ofBoth = {
  correlator: orNone(fc.constantFrom('c-6', 'c-9', 'c-none')),
  resource: orNone(fc.constantFrom('s-1')),
  client: orNone(fc.constantFrom('c-3')),
  from: orNone(instant),
  to: orNone(instant),
};

describe('pages of any size, of one team or all, list every match once, newest first', () => {
  test('messages', async () => {
    const filters = fc.record({
      ...ofBoth,
      phone: orNone(fc.constantFrom(sharedPhone, '+254711000003', '+254700000000')),
      state: orNone(fc.constantFrom('Failed', 'Queued', 'Delivered', 'Scheduled')),
    });
    await fc.assert(
      fc.asyncProperty(team, filters, pageSize, async (owner, filter, limit) => {
        const { found, largest } = await pagesOf(
          (after, most) => searchMessages(database.knex, owner, filter, after, most, ({ id }) => id),
          limit,
        );
        expect(largest).toBeLessThanOrEqual(limit);
        expect(found).toEqual(
          await matching(
            'select m.id::text from messages m join requests r on r.id = request_id',
            owner,
            filter,
          ),
        );
      }),
      { seed, numRuns: 15 },
    );
  });

  test('requests', async () => {
    const requestFilters = fc.record({ ...ofBoth, scheduled: orNone(fc.constant(true)) });
    await fc.assert(
      fc.asyncProperty(team, requestFilters, pageSize, async (owner, filter, limit) => {
        const { found, largest } = await pagesOf(
          (after, most) => searchRequests(database.knex, owner, filter, after, most, ({ id }) => id),
          limit,
        );
        expect(largest).toBeLessThanOrEqual(limit);
        expect(found).toEqual(
          await matching(
            'select r.id from requests r join messages m on m.request_id = r.id and m.position = 0',
            owner,
            filter,
          ),
        );
      }),
      { seed, numRuns: 10 },
    );
  });
});

async function explain(statement: string, values: object): Promise<PlanNode[]> {
  const { rows } = await database.knex.raw<{ rows: Explained[] }>(
    `explain (analyze, format json) ${statement}`,
    values as never,
  );
  return nodesOf(rows);
}

/** Few teams, and in these tests no receipts and refunds. */
const small = ['receipts', 'ledger_entries', 'teams'];

function requireBounded(nodes: readonly PlanNode[], index: string, limit: number): void {
  const read = nodes.filter((node) => node['Relation Name'] !== undefined).map(rowsOf);
  expect(nodes.map((node) => node['Index Name'])).toContain(index);
  const scanned = nodes
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => node['Relation Name']);
  expect(scanned.filter((name = '') => !small.includes(name))).toEqual([]);
  expect(read.reduce((sum, rows) => sum + rows, 0)).toBeLessThan(limit);
}

describe('a page of 100 reads few rows, whatever is stored, by its index', () => {
  const middle: Position = [
    '2026-11-01 00:10:00+00',
    '80000000-0000-0000-0000-000000000000',
    String(stored / 2),
  ];
  const period = { from: '2026-11-01T00:01:00Z', to: '2026-11-01T00:05:00Z' };
  const byTime = ['requests_of_team', 'messages_pkey'] as const;
  const by = (index: string) => [index, index] as const;
  const narrow = { ...period, client: 'c-3', resource: 's-1', channel: 'Safaricom' };

  testEvery<
    [string, object, indexes: readonly [ofTeam: string, ofAll: string], limit: number, after?: Position]
  >([
    ['no filter', {}, byTime, 4_500],
    ['no filter, a later page', {}, byTime, 4_500, middle],
    ['phone', { phone: sharedPhone }, by('messages_by_phone'), 6_500],
    ['rare phone', { phone: '+254711000003' }, by('messages_by_phone'), 300],
    ['correlator', { correlator: 'c-6' }, by('requests_by_correlator'), 2_000],
    ['failed', { state: 'Failed' }, by('messages_not_delivered'), 300],
    ['scheduled', { state: 'Scheduled' }, by('messages_scheduled_of_team'), 300],
    ['in progress', { state: 'Queued' }, byTime, 6_500],
    [
      'delivered, in a period, of a client, service and channel',
      { state: 'Delivered', ...narrow },
      byTime,
      6_500,
    ],
  ])('messages, %s', async (_name, filter, [ofTeam, ofAll], limit, after) => {
    const search = { ...none, ...filter };
    for (const [owner, index] of [
      ['ours', ofTeam],
      [undefined, ofAll],
    ] as const) {
      const values = searchValues(owner, search, after, 100);
      requireBounded(await explain(searchText(scanFor(search), owner), values), index, limit);
    }
  });

  testEvery<[string, object, index: string]>([
    ['no filter', {}, 'requests_of_team'],
    ['correlator', { correlator: 'c-6' }, 'requests_by_correlator'],
    ['of a client, in a period', { client: 'c-3', ...period }, 'requests_of_team'],
    ['scheduled', { scheduled: true }, 'requests_scheduled'],
  ])('requests, %s', async (_name, filter, index) => {
    const search = { ...none, ...filter };
    for (const owner of ['ours', undefined]) {
      const values = requestSearchValues(owner, search, undefined, 100);
      const nodes = await explain(requestSearchText(requestScanFor(search), owner), values);
      requireBounded(nodes, index, 2_500);
    }
  });
});
