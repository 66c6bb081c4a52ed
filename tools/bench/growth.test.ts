/** What a message costs the database does not depend on how many messages are stored: the whole way, at two sizes. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import { growHistory } from './history.ts';
import { type Part, startPart } from './parts/part.ts';
import { connectTo, statementCounts } from './parts/postgres.ts';
import type { ReceiverCalls } from './parts/receiver.ts';
import { type BenchedService, startBenchedService } from './parts/service.ts';
import type { SmscCalls } from './parts/smsc.ts';
import { bodiesOf } from './systems.ts';

const serverUrl = process.env.DATABASE_URL;
const sizes = { small: 3_000, large: Number(process.env.GROWTH_ROWS ?? 60_000) };

const databaseTest = serverUrl === undefined ? describe.skip : describe;
if (serverUrl === undefined)
  process.stderr.write('skipped: costs by stored messages are counted on PostgreSQL only (DATABASE_URL)\n');

/** Per message. */
interface Cost {
  /** Rows and index entries read, by table or index. */
  read: Map<string, number>;
  /** Buffers by statement. */
  buffers: Map<string, number>;
}

databaseTest(`with ${sizes.large} messages stored, compared with ${sizes.small}`, () => {
  let smsc: Part<SmscCalls>;
  let receiver: Part<ReceiverCalls>;
  let service: BenchedService;
  let knex: Knex;
  let costs: Record<keyof typeof sizes, Cost>;

  /** Sends requests with one and with several recipients, and waits until every callback has come. */
  const sendMessages = async () => {
    const { received: before } = await receiver.call('counts');
    const callbackUrl = `http://127.0.0.1:${await receiver.call('port')}/`;
    const bodies = [...bodiesOf(1, callbackUrl), ...bodiesOf(10, callbackUrl).slice(0, 15)];
    const send = async (body: string) => {
      const response = await fetch(`${service.baseUrls[0]}/message/${service.demo.smsServiceId}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
        body,
      });
      expect(response.status).toBe(200);
    };
    while (bodies.length > 0) await Promise.all(bodies.splice(0, 8).map(send));
    for (;;) {
      const { received } = await receiver.call('counts');
      if (received - before >= messagesSent) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  /** Counts from a stopped service to a stopped service: backends report their last counts when they end. */
  const costOf = async (): Promise<Cost> => {
    await knex.raw(
      'select pg_stat_statements_reset(0, (select oid from pg_database where datname = current_database()), 0)',
    );
    // What growing read is counted before, not after.
    await knex.raw('select pg_stat_force_next_flush()');
    const before = await readCounts(knex);
    await service.restart();
    await sendMessages();
    await service.stop();
    const statements = (await statementCounts(knex)) ?? [];
    const after = await readCounts(knex);
    const buffers = new Map<string, number>();
    for (const one of statements)
      buffers.set(one.query, (buffers.get(one.query) ?? 0) + one.buffers / messagesSent);
    const read = new Map(
      [...after].map(([name, count]) => [name, (count - (before.get(name) ?? 0)) / messagesSent]),
    );
    return { read, buffers };
  };

  beforeAll(async () => {
    smsc = await startPart<SmscCalls>('smsc.ts', { reports: true });
    receiver = await startPart<ReceiverCalls>('receiver.ts');
    service = await startBenchedService({
      commands: ['start'],
      serverUrl,
      smscPort: await smsc.call('port'),
    });
    knex = connectTo(service.databaseUrl ?? '');
    await knex.raw('create extension pg_stat_statements');
    await sendMessages();
    await service.stop();
    await growHistory(knex, sizes.small);
    const small = await costOf();
    await growHistory(knex, sizes.large);
    costs = { small, large: await costOf() };
  }, 240_000);
  afterAll(async () => {
    await knex?.destroy();
    await service?.dispose();
    await receiver?.end();
    await smsc?.end();
  });

  test('as many rows and index entries are read per message', () => {
    expect(grown(costs.small.read, costs.large.read, 3)).toEqual([]);
  });

  test('each statement touches as many buffers per message', () => {
    // An index of more rows may be a level deeper.
    expect(grown(costs.small.buffers, costs.large.buffers, 10)).toEqual([]);
  });
});

const messagesSent = 50 + 15 * 10;

/** Whatever costs over half as much again, beyond a `slack` for differences between any two runs. */
function grown(small: Map<string, number>, large: Map<string, number>, slack: number): string[] {
  return [...large]
    .filter(([name, cost]) => cost > 1.5 * (small.get(name) ?? 0) + slack)
    .map(([name, cost]) => `${(small.get(name) ?? 0).toFixed(1)} → ${cost.toFixed(1)}: ${name}`);
}

/** What they hold is under way, not stored: it depends on how fast the machine is at the moment. */
const underWay = /^(jobs|network_reports|rate_windows|receipts_due|messages_with_us)/;

/** Rows that were read from tables, and entries from indexes, since the database was made. */
async function readCounts(knex: Knex): Promise<Map<string, number>> {
  const { rows } = await knex.raw<{ rows: { name: string; count: string }[] }>(
    `select relname as name, coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as count from pg_stat_user_tables
     union all select indexrelname, idx_tup_read from pg_stat_user_indexes`,
  );
  return new Map(
    rows.filter(({ name }) => !underWay.test(name)).map(({ name, count }) => [name, Number(count)]),
  );
}
