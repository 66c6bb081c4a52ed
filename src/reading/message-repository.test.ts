/** Searches of messages: every page comes to what the filters say, and reads a bounded number of rows. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Database } from '../db/knex.ts';
import { openTestDatabase } from '../db/testing.ts';
import {
  type MessageFilter,
  readMessages,
  type ScanName,
  scanFor,
  searchText,
  searchValues,
} from './message-repository.ts';
import type { Position } from './page.ts';

const seed = Number(process.env.SEED ?? Date.now());
const stored = Number(process.env.STORED_MESSAGES ?? 20_000);
process.stderr.write(`searches of messages: SEED=${seed} STORED_MESSAGES=${stored}\n`);

let database: Database;
/** Half of the messages of both teams go to it. */
const sharedPhone = '+254711000000';
const none: MessageFilter = {
  phone: undefined,
  correlator: undefined,
  state: undefined,
  from: undefined,
  to: undefined,
};

/** Two teams that take turns; requests of one to three messages, some phones very often, few failures. */
beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
  await database.knex.raw(
    `insert into requests (id, team_id, client_id, operation, resource_id, correlator, created_at)
     select md5(n::text)::uuid, case n % 2 when 0 then 'ours' else 'theirs' end, 'c', 'sendSms', 's',
       case when n % 3 = 0 then 'c-' || n % 50 end,
       -- Several requests are accepted in one transaction, at the same time.
       '2026-11-01T00:00:00Z'::timestamptz + n / 5 * interval '1 second'
     from generate_series(1, ?::integer / 2) n`,
    [stored],
  );
  await database.knex.raw(
    `insert into messages (request_id, team_id, position, product, channel, phone, content, units, state)
     select id, team_id, place, 'sms', 'Safaricom',
       case when n % 4 < 2 then '${sharedPhone}' else '+2547110' || lpad((n % 1000)::text, 5, '0') end, 'x', 1,
       case when n % 997 = 0 then 'Failed' when n > ? / 2 - 20 then 'Queued' else 'Delivered' end
     from (select *, row_number() over (order by created_at, id) as n from requests) as r,
       generate_series(0, (n % 3)::integer) as place
     order by n, place`,
    [stored],
  );
  await database.knex.raw('analyze');
});
afterAll(() => database?.close());

/** Ids of all pages. */
async function pagesOf(filter: MessageFilter, limit: number): Promise<{ found: string[]; largest: number }> {
  const read = readMessages(database.knex);
  const found: string[] = [];
  let largest = 0;
  let after: Position | undefined;
  do {
    const { items, end } = await read('ours', filter, after, limit);
    found.push(...items.map(({ requestId, phone, state }) => `${requestId} ${phone} ${state}`));
    largest = Math.max(largest, items.length);
    after = end;
  } while (after !== undefined);
  return { found, largest };
}

async function expected({ phone, correlator, state, from, to }: MessageFilter): Promise<string[]> {
  const { rows } = await database.knex.raw<{ rows: { line: string }[] }>(
    `select r.id || ' ' || phone || ' ' || state as line from messages m join requests r on r.id = m.request_id
     where r.team_id = 'ours' and (:phone::text is null or phone = :phone)
       and (:correlator::text is null or correlator = :correlator) and (:state::text is null or state = :state)
       and created_at >= :from::timestamptz and created_at < :to::timestamptz
     order by r.created_at desc, r.id desc, m.id desc`,
    {
      phone: phone ?? null,
      correlator: correlator ?? null,
      state: state ?? null,
      from: from ?? '-infinity',
      to: to ?? 'infinity',
    },
  );
  return rows.map(({ line }) => line);
}

const instant = fc
  .integer({ min: 0, max: Math.ceil(stored / 10) })
  .map((second) => new Date(Date.UTC(2026, 10, 1) + second * 1_000).toISOString());
const orNone = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });

test('pages of any size, by any filters, come to all that match, newest first and once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        phone: orNone(fc.constantFrom(sharedPhone, '+254711000003', '+254700000000')),
        correlator: orNone(fc.constantFrom('c-6', 'c-9', 'c-none')),
        state: orNone(fc.constantFrom('Failed', 'Queued', 'Delivered')),
        from: orNone(instant),
        to: orNone(instant),
      }),
      fc.integer({ min: 40, max: 100 }),
      async (filter, limit) => {
        const { found, largest } = await pagesOf(filter, limit);
        expect(largest).toBeLessThanOrEqual(limit);
        expect(found).toEqual(await expected(filter));
      },
    ),
    { seed, numRuns: 15 },
  );
});

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Index Name'?: string;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

async function explain(scan: ScanName, filter: MessageFilter, after?: Position): Promise<PlanNode[]> {
  const { rows } = await database.knex.raw<{ rows: { 'QUERY PLAN': [{ Plan: PlanNode }] }[] }>(
    `explain (analyze, format json) ${searchText(scan)}`,
    searchValues('ours', filter, after, 100),
  );
  return nodesOf((rows[0] as (typeof rows)[0])['QUERY PLAN'][0].Plan);
}

describe('a page of 100 reads few rows, whatever is stored, by its index', () => {
  const middle: Position = [
    '2026-11-01 00:10:00+00',
    '80000000-0000-0000-0000-000000000000',
    String(stored / 2),
  ];
  test.each<{ name: string; filter: MessageFilter; index: string; limit: number; after?: Position }>([
    { name: 'no filter', filter: none, index: 'requests_of_team', limit: 500 },
    { name: 'no filter, a later page', filter: none, index: 'requests_of_team', limit: 500, after: middle },
    { name: 'phone', filter: { ...none, phone: sharedPhone }, index: 'messages_by_phone', limit: 6_500 },
    {
      name: 'rare phone',
      filter: { ...none, phone: '+254711000003' },
      index: 'messages_by_phone',
      limit: 300,
    },
    {
      name: 'correlator',
      filter: { ...none, correlator: 'c-6' },
      index: 'requests_by_correlator',
      limit: 2_000,
    },
    { name: 'failed', filter: { ...none, state: 'Failed' }, index: 'messages_not_delivered', limit: 300 },
    { name: 'in progress', filter: { ...none, state: 'Queued' }, index: 'requests_of_team', limit: 6_500 },
    {
      name: 'delivered, in a period',
      filter: { ...none, state: 'Delivered', from: '2026-11-01T00:01:00Z', to: '2026-11-01T00:05:00Z' },
      index: 'requests_of_team',
      limit: 6_500,
    },
  ])('$name', async ({ filter, index, limit, after }) => {
    const nodes = await explain(scanFor(filter), filter, after);
    const read = nodes
      .filter((node) => node['Relation Name'] !== undefined)
      .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']);
    expect(nodes.map((node) => node['Index Name'])).toContain(index);
    expect(
      nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']),
    ).toEqual(
      // Empty here.
      nodes.some((node) => node['Relation Name'] === 'receipts' && node['Node Type'] === 'Seq Scan')
        ? ['receipts']
        : [],
    );
    expect(read.reduce((sum, rows) => sum + rows, 0)).toBeLessThan(limit);
  });
});
