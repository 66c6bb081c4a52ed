/**
 * However many messages are stored, each page that a client or an operator reads costs the database little: every
 * reading operation of both documents, in every combination of its filters, and the pages of the console. STORED_MESSAGES
 * sets the size.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import { type Visitor, visitorAt } from '../../contract-tests/support/console/visitor.ts';
import { loadDocument } from '../../src/contract/document.ts';
import { operationsOf } from '../../src/contract/operations.ts';
import { createUser } from '../../src/manage/access/users.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { testEvery } from '../../src/platform/for-every-testing.ts';
import { freePort } from '../../src/platform/free-port-testing.ts';
import { createSecrets } from '../../src/platform/secrets/secrets.ts';
import { fillHistory, often, others, rare } from './fill.ts';
import { connectTo, statementCounts } from './parts/postgres.ts';
import { secretKey } from './parts/secret-key.ts';
import { type BenchedService, startBenchedService } from './parts/service.ts';

const serverUrl = process.env.DATABASE_URL;
const stored = Number(process.env.STORED_MESSAGES ?? 20_000);
/** Pages of 8 KiB: about 20 ms where they are in memory. */
const mostBuffers = 25_000;
/** At the default size buffers say enough, whatever else the machine does, and so do pairs of filters. */
const thorough = process.env.STORED_MESSAGES !== undefined;
const mostMilliseconds = thorough ? 50 : Number.POSITIVE_INFINITY;
/** Of a page of the console, from the request to the last byte. */
const mostServerMilliseconds = thorough ? 150 : Number.POSITIVE_INFINITY;
/** How many of the costliest are printed. */
const shown = thorough ? 40 : 15;
const mostFilters = thorough ? Number.POSITIVE_INFINITY : 2;

const databaseTest = serverUrl === undefined ? describe.skip : describe;
if (serverUrl === undefined)
  process.stderr.write('skipped: the cost of pages is counted on PostgreSQL only (DATABASE_URL)\n');

interface Read {
  document: 'openapi' | 'management';
  operationId: string;
  path: string;
  filters: string[];
}

const readsOf = (document: Read['document']): Read[] => {
  const gets = operationsOf(loadDocument(document).published).filter(({ method }) => method === 'get');
  return gets.map(({ operationId, path, parameters }) => {
    const filters = parameters
      .filter((one) => one.in === 'query' && !['limit', 'cursor'].includes(one.name))
      .map(({ name }) => name);
    return { document, operationId, path, filters };
  });
};
const reads = [...readsOf('openapi'), ...readsOf('management')];

const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** What a filter is set to: first what very many rows have. */
const values: Record<string, readonly string[]> = {
  phone: [often.phone, rare.phone, others.phone, '+254733000000'],
  correlator: [often.correlator, rare.correlator, others.correlator, 'never'],
  state: ['Delivered', 'Failed', 'Queued', 'Exhausted'],
  serviceId: [often.serviceId],
  channel: ['Safaricom'],
  clientId: [often.clientId],
  from: [dayAgo(60), dayAgo(0.0001)],
  to: [dayAgo(30), dayAgo(89.99)],
  teamId: ['demo'],
  requestId: ['c4ca4238-a0b9-2382-0dcc-509a6f75849b'],
  product: ['sms'],
  variant: [''],
  by: ['hour'],
  noun: ['sms service'],
  id: ['service-7'],
  actor: [often.actor, 'nobody'],
  approvalStatus: ['APPROVED'],
  phoneEnd: ['1000000', '3999999'],
  idStart: ['c4ca4238', 'ffffffff'],
  origin: ['https://shop.example'],
  category: ['MARKETING'],
  connector: ['smsc'],
  sender: ['SENDER1'],
};

/** Every subset of the filters with their first values; and every other value, alone and with each other filter. */
function queriesOf(filters: readonly string[]): Record<string, string>[] {
  const first = (name: string) => values[name]?.[0] ?? '';
  const subsets: Record<string, string>[] = [{}];
  for (const name of filters)
    subsets.push(
      ...subsets
        .filter((query) => Object.keys(query).length < mostFilters)
        .map((query) => ({ ...query, [name]: first(name) })),
    );
  const others = filters.flatMap((name) =>
    (values[name] ?? [])
      .slice(1)
      .flatMap((value) => [
        { [name]: value },
        ...filters
          .filter((other) => other !== name)
          .map((other) => ({ [other]: first(other), [name]: value })),
      ]),
  );
  return [...subsets, ...others];
}

databaseTest(`with ${stored} messages stored`, () => {
  let service: BenchedService;
  let knex: Knex;
  let managementUrl: string;
  let accessKey: string;
  const slowest: { ms: number; buffers: number; name: string }[] = [];

  beforeAll(async () => {
    const managementPort = String(await freePort());
    managementUrl = `http://127.0.0.1:${managementPort}/management`;
    service = await startBenchedService({
      commands: ['serve'],
      serverUrl,
      smscPort: undefined,
      settings: { MANAGEMENT_PORT: managementPort, READ_RATE_LIMIT_PER_SECOND: '1000000' },
      prepare: async (database) => {
        const secrets = createSecrets(Buffer.from(secretKey, 'base64'));
        const root = {
          knex: database,
          clock: systemClock,
          actor: { kind: 'command line', name: 'test' } as const,
          team: undefined,
          trustedIssuers: [],
          scopes: () => [],
          secrets: async () => secrets,
        };
        accessKey = (await createUser(root, { id: 'root', role: 'owner', teamId: null })).accessKey;
        await fillHistory(database, 'demo', stored);
      },
    });
    knex = connectTo(service.databaseUrl ?? '');
    await knex.raw('create extension pg_stat_statements');
  }, 3_600_000);
  afterAll(async () => {
    slowest.sort((one, other) => other.ms - one.ms);
    for (const { ms, buffers, name } of slowest.slice(0, shown))
      process.stderr.write(`${ms.toFixed(1)} ms, ${buffers} buffers: ${name}\n`);
    await knex?.destroy();
    await service?.dispose();
  });

  const get = async ({ document, path }: Read, query: Record<string, string>) => {
    const filled = path
      .replace('{teamId}', 'demo')
      .replace('{requestId}', 'c4ca4238-a0b9-2382-0dcc-509a6f75849b');
    const [base, token] =
      document === 'openapi' ? [service.baseUrls[0], service.token] : [managementUrl, accessKey];
    const response = await fetch(`${base}${filled}?${new URLSearchParams(query)}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return { status: response.status, text: await response.text() };
  };

  /** What something costs at best: others may use the machine. */
  const bestOf = async <Cost>(once: () => Promise<Cost>, msOf: (cost: Cost) => number, mostMs: number) => {
    let best = await once();
    for (let again = 0; again < 4 && msOf(best) > mostMs; again += 1) {
      const next = await once();
      if (msOf(next) < msOf(best)) best = next;
    }
    return best;
  };

  const costOf = (read: Read, query: Record<string, string>) =>
    bestOf(
      () => measured(() => get(read, query)),
      ({ ms }) => ms,
      mostMilliseconds,
    );

  const measured = async <Result>(work: () => Promise<Result>) => {
    await knex.raw(
      'select pg_stat_statements_reset(0, (select oid from pg_database where datname = current_database()), 0)',
    );
    const result = await work();
    const counts = ((await statementCounts(knex)) ?? []).filter(
      ({ query }) => !query.includes('pg_stat_statements'),
    );
    const sum = (of: 'buffers' | 'milliseconds') => counts.reduce((all, one) => all + one[of], 0);
    return { ...result, buffers: sum('buffers'), ms: sum('milliseconds') };
  };

  testEvery(reads)(
    'every page of every list reads no more than it shows: $document $operationId',
    async (read) => {
      const costly: string[] = [];
      const limited = (query: Record<string, string>) => ({ ...query, limit: '100' });
      for (const query of queriesOf(read.filters)) {
        const first = await costOf(read, limited(query));
        const next: string | undefined =
          first.status === 200 && first.text.startsWith('{') ? JSON.parse(first.text).next : undefined;
        const pages = [{ ...first, page: 1 }];
        if (next !== undefined)
          pages.push({ ...(await costOf(read, { ...limited(query), cursor: next })), page: 2 });
        for (const { status, page, ...cost } of pages) {
          const name = `${read.operationId} ${new URLSearchParams(query)}, page ${page}, ${status}`;
          slowest.push({ ms: cost.ms, buffers: cost.buffers, name });
          if (cost.buffers > mostBuffers || cost.ms > mostMilliseconds || status >= 500)
            costly.push(`${cost.buffers} buffers, ${cost.ms.toFixed(1)} ms: ${name}`);
        }
      }
      expect(costly).toEqual([]);
    },
    600_000,
  );

  /** One address of each kind that pages lead to: ids and the values of filters differ, not the pages. */
  const kindOf = (path: string) =>
    path
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '{id}')
      .replace(/\/\d+/g, '/{id}')
      .replace(/(\/(?:teams|clients|users|services|endpoints|templates\/\w+))\/[^/?]+/, '$1/{id}')
      .replace(/=[^&]*/g, '=');

  /** The page with each value of each of its filters. */
  function narrowedBy(page: string): string[] {
    const [, action = '', form = ''] =
      /<form class="filters" method="get" action="\/console([^"]*)">(.*?)<\/form>/s.exec(page) ?? [];
    const chosen = [...form.matchAll(/<select [^>]*name="(\w+)"[^>]*>(.*?)<\/select>/gs)].flatMap(
      ([, name = '', options = '']) =>
        [...options.matchAll(/<option value="([^"]+)"/g)].map(([, value = '']) => [name, value]),
    );
    const written = [...form.matchAll(/<input [^>]*name="(\w+)"[^>]*>/g)].flatMap(([tag, name = '']) =>
      tag.includes('type="hidden"')
        ? []
        : (values[name] ?? []).map((value) => [
            name,
            tag.includes('datetime-local') ? value.slice(0, 16) : value,
          ]),
    );
    return [...chosen, ...written].map(
      (pair) => `${action}?${new URLSearchParams([pair as [string, string]])}`,
    );
  }

  const signIn = async (): Promise<Visitor> => {
    const url = managementUrl.replace(/\/management$/, '');
    const { headers } = await visitorAt(url).post('/sign-in', { accessKey });
    return visitorAt(url, { cookie: headers.get('set-cookie')?.split(';')[0] ?? '' });
  };

  test('the pages of the console', async () => {
    const visitor = await signIn();
    const opened = async (open: () => ReturnType<Visitor['open']>) => {
      const once = async () => {
        for (;;) {
          const page = await measured(async () => {
            const began = performance.now();
            const { status, text, location } = await open();
            return { status, text, location, serverMs: performance.now() - began };
          });
          if (page.status !== 429) return page;
          // No reader opens pages this fast: the session has made as many calls as a user may in a second.
          await delay(1_000);
        }
      };
      return bestOf(once, ({ serverMs }) => serverMs, mostServerMilliseconds);
    };
    const seen = new Set<string>(['/']);
    const open = [...seen];
    const costly: string[] = [];
    const judge = ({ status, buffers, ms, serverMs }: Awaited<ReturnType<typeof opened>>, name: string) => {
      const words = `console ${name}: ${status}, ${serverMs.toFixed(0)} ms in all`;
      slowest.push({ ms, buffers, name: words });
      if (buffers > mostBuffers || serverMs > mostServerMilliseconds || status >= 400)
        costly.push(`${words}, ${buffers} buffers, ${ms.toFixed(1)} ms of the database`);
    };
    for (let path = open.shift(); path !== undefined; path = open.shift()) {
      const page = await opened(() => visitor.open(path as string));
      judge(page, path);
      for (const narrowed of narrowedBy(page.text))
        judge(await opened(() => visitor.open(narrowed)), narrowed);
      for (const [, link = ''] of page.text.matchAll(/href="\/console(\/[^"#]*)/g)) {
        const found = link.replaceAll('&amp;', '&');
        if (/^\/assets\/|\.csv/.test(found) || seen.has(kindOf(found))) continue;
        seen.add(kindOf(found));
        open.push(found);
      }
    }
    const searches = [
      ...[...(values.phone ?? []), ...(values.phoneEnd ?? []), ...(values.idStart ?? [])],
      ...[often.correlator, rare.correlator],
    ];
    for (const find of searches) {
      const search = await opened(() => visitor.post('/find', { find }));
      judge(search, `search for ${find}`);
      judge(await opened(() => visitor.open(search.location ?? '')), `${search.location}, found for ${find}`);
    }
    expect(costly).toEqual([]);
    expect(seen.size).toBeGreaterThan(60);
  }, 3_600_000);
});
