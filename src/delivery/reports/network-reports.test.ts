/** Reports of networks against a real database: matched whenever they arrive, harmless when repeated. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { NetworkReport } from '../../connectors/contract/connector.ts';
import { cleanReports } from '../../connectors/contract/network-text.ts';
import type { Product } from '../../model/plan.ts';
import { sized } from '../../platform/sized-testing.ts';
import { createEvents } from '../../process/events.ts';
import { consequences, recordedMessages, submitted } from '../../receipts/record-testing.ts';
import { createReportStore, networkReportRound } from './network-reports.ts';
import { insertParts } from './part-repository.ts';

/** What each connector's kind hands over. */
const products: Readonly<Record<string, Product>> = {
  smsc: 'sms',
  another: 'sms',
  provider: 'data',
  app: 'chatapp',
};
let store: (connector: string, reports: readonly NetworkReport[]) => Promise<void>;
let wakes = 0;
const messages = recordedMessages();
beforeAll(async () => {
  const events = createEvents(new Registry(), logger);
  const stored = createReportStore({
    knex: messages.database.knex,
    logger,
    consequences,
    events,
    onReceipts: () => {},
    submissionsStored: async () => {},
    onStored: () => {
      wakes += 1;
    },
  });
  store = (connector, reports) =>
    stored(
      { connector, product: products[connector] ?? 'sms' },
      cleanReports(reports, () => {}),
    );
});

const logger = pino({ level: 'silent' });

/** Looks at everything that waits, due or not. */
async function look(): Promise<void> {
  const { knex } = messages.database;
  await knex.raw('update network_reports set next_look_at = now()');
  const events = createEvents(new Registry(), logger);
  while (await networkReportRound({ knex, logger, consequences, events, onReceipts: () => {} }));
}

const waiting = async () => (await messages.database.knex('network_reports')).length;

/** The network took the message and gave each of its parts an id. */
async function handOver(messageId: string, networkIds: readonly string[], connector = 'smsc'): Promise<void> {
  await messages.database.knex.transaction((trx) =>
    insertParts(
      trx,
      networkIds.map((networkId) => ({
        connector,
        networkId,
        messageId,
        parts: networkIds.length,
        state: null,
      })),
    ),
  );
  const product = products[connector] ?? 'sms';
  await messages.record({ ...submitted(messageId), product, connector });
}

async function accepted(product: 'sms' | 'data' | 'chatapp' = 'sms'): Promise<string> {
  const [id = ''] = await messages.accept(1, { product });
  return id;
}

const stateOf = async (id: string) => (await messages.statesOf([id]))[0];
const receiptsOf = async (id: string) =>
  (await messages.receiptsOf([id])).map(({ body }) => JSON.parse(body).state);

describe('a report', () => {
  test('changes the message that has its id at this connector, and no other', async () => {
    const [one, other] = [await accepted(), await accepted()];
    await handOver(one, ['a-1']);
    await handOver(other, ['a-1'], 'another');
    await store('smsc', [{ networkId: 'a-1', state: 'AbsentSubscriber', reason: 'off', reasonCode: '27' }]);
    expect([await waiting(), wakes]).toEqual([0, 0]);
    expect([await stateOf(one), await stateOf(other)]).toEqual(['AbsentSubscriber', 'Submitted']);
    expect(await messages.rowsOf([one])).toMatchObject([{ reason: 'off', reason_code: '27' }]);
    expect(await waiting()).toBe(0);
  });

  test('that overtakes the response to the hand-over waits for it', async () => {
    const id = await accepted();
    await store('smsc', [{ networkId: 'b-1', state: 'Delivered' }]);
    expect(wakes).toBeGreaterThan(0);
    await look();
    expect([await stateOf(id), await waiting()]).toEqual(['Queued', 1]);
    await handOver(id, ['b-1']);
    const events = createEvents(new Registry(), logger);
    const { knex } = messages.database;
    await networkReportRound({ knex, logger, consequences, events, onReceipts: () => {} });
    expect([await stateOf(id), await waiting()]).toEqual(['Delivered', 0]);
  });

  test('leaves its details with the message, whether it came before the response or after it', async () => {
    const [early, late] = [await accepted(), await accepted()];
    const report = (networkId: string): NetworkReport => ({
      networkId,
      state: 'Delivered',
      details: { mccMnc: `63902${'0'.repeat(100)}` },
    });
    await store('smsc', [report('d-1')]);
    await handOver(early, ['d-1']);
    await handOver(late, ['d-2']);
    await store('smsc', [report('d-2')]);
    await look();
    const details = { mccMnc: `63902${'0'.repeat(59)}` };
    expect(await messages.rowsOf([early, late])).toMatchObject([{ details }, { details }]);
    const bodies = (await messages.receiptsOf([early, late])).map(({ body }) => body);
    expect(bodies.filter((body) => body.includes('63902'))).toEqual([]);
  });

  test("may name our own reference, and adds the network's id", async () => {
    const id = await accepted('chatapp');
    await handOver(id, [], 'app');
    await store('app', [{ messageId: id, networkId: 'wamid.7', state: 'Sent' }]);
    await look();
    expect(await messages.rowsOf([id])).toMatchObject([{ state: 'Sent', network_id: 'wamid.7' }]);
  });

  test('for an unknown message waits, and is deleted after three days', async () => {
    await store('app', [{ messageId: 'their-order', networkId: 'c-1', state: 'Delivered' }]);
    await store('app', [{ messageId: 'their-order', state: 'Delivered' }]);
    await look();
    expect(await waiting()).toBe(1);
    await messages.database.knex.raw(`update network_reports set received_at = now() - interval '73 hours'`);
    await look();
    expect(await waiting()).toBe(0);
  });

  test('with a state that its product does not have changes nothing', async () => {
    const id = await accepted('data');
    await handOver(id, [], 'provider');
    await store('provider', [{ messageId: id, state: 'SenderBlacklisted' }]);
    await look();
    expect([await stateOf(id), await waiting()]).toEqual(['Submitted', 0]);
  });

  test('with NUL and endless text is stored', async () => {
    const id = await accepted();
    await handOver(id, []);
    await store('smsc', [{ messageId: id, state: 'Failed', reason: `a\0b${'x'.repeat(10_000)}` }]);
    await look();
    expect((await messages.rowsOf([id]))[0].reason).toMatch(/^abx{200}/);
  });

  test('counts neither before the hand-over nor in the future', async () => {
    const ids = [await accepted(), await accepted(), await accepted()];
    await messages.record(...ids.map(submitted));
    await messages.database.knex.raw(
      `update messages set submitted_at = now() - interval '1 hour' where id = any(?::bigint[])`,
      [ids],
    );
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
    const at = async (index: number, occurredAt: Date) => {
      const change = { messageId: ids[index] ?? '', product: 'sms' as const, refund: false };
      const [reached] = await messages.record({ ...change, state: 'Delivered', reachedAt: occurredAt });
      return ((reached?.reachedAt.getTime() ?? 0) - Date.now()) / 3_600_000;
    };
    expect(await at(0, hours(-5))).toBeCloseTo(-1, 1);
    expect(await at(1, hours(-0.5))).toBeCloseTo(-0.5, 1);
    expect(await at(2, hours(5))).toBeCloseTo(0, 1);
  });
});

describe('a message of several parts', () => {
  test('is delivered with its last part', async () => {
    const id = await accepted();
    await handOver(id, ['d-1', 'd-2', 'd-3']);
    for (const networkId of ['d-2', 'd-1', 'd-1']) await store('smsc', [{ networkId, state: 'Delivered' }]);
    await look();
    expect(await stateOf(id)).toBe('Submitted');
    await store('smsc', [{ networkId: 'd-3', state: 'Delivered' }]);
    await look();
    expect(await stateOf(id)).toBe('Delivered');
  });

  test('fails with any of them', async () => {
    const id = await accepted();
    await handOver(id, ['e-1', 'e-2']);
    await store('smsc', [
      { networkId: 'e-2', state: 'DeliveryImpossible' },
      { networkId: 'e-1', state: 'Delivered' },
    ]);
    await look();
    expect([await stateOf(id), await receiptsOf(id)]).toEqual(['DeliveryImpossible', ['DeliveryImpossible']]);
  });
});

describe('a bundle', () => {
  const units = async (id: string) => (await messages.refundsOf([id])).map(({ units }) => units);

  test('that is rejected after it was accepted is refunded', async () => {
    const id = await accepted('data');
    await handOver(id, ['f-1'], 'provider');
    await store('provider', [{ networkId: 'f-1', state: 'Failed', refund: 'refused' }]);
    await look();
    expect([await stateOf(id), await units(id)]).toEqual(['Failed', ['2']]);
  });

  test('that is reversed after delivery is refunded and has a second receipt', async () => {
    const id = await accepted('data');
    await handOver(id, ['g-1'], 'provider');
    const reversed: NetworkReport = { networkId: 'g-1', state: 'Failed', refund: 'reversed' };
    await store('provider', [{ networkId: 'g-1', state: 'Delivered' }, reversed, reversed]);
    await look();
    expect([await stateOf(id), await units(id)]).toEqual(['Failed', ['2']]);
    expect(await receiptsOf(id)).toEqual(['Delivered', 'Failed']);
  });

  test('that is reversed before its delivery was reported is refunded once', async () => {
    const id = await accepted('data');
    await handOver(id, ['g-2'], 'provider');
    await store('provider', [{ networkId: 'g-2', state: 'Failed', refund: 'reversed' }]);
    await store('provider', [{ networkId: 'g-2', state: 'Delivered' }]);
    await look();
    expect([await stateOf(id), await units(id), await receiptsOf(id)]).toEqual(['Failed', ['2'], ['Failed']]);
  });
});

test('an id that a network uses again belongs to the newest message', async () => {
  const [old, fresh] = [await accepted(), await accepted()];
  await handOver(old, ['h-1']);
  await handOver(fresh, ['h-1']);
  await store('smsc', [{ networkId: 'h-1', state: 'Delivered' }]);
  await look();
  expect([await stateOf(old), await stateOf(fresh)]).toEqual(['Submitted', 'Delivered']);
});

test('duplicate, late, early, unknown and out-of-order reports: one receipt per state, the final one stays', async () => {
  const seed = Number(process.env.SEED);
  const runs = Number(process.env.REPORT_RUNS ?? sized(25, 400));
  let turn = 0;
  const report = fc.record({
    part: fc.integer({ min: 0, max: 3 }),
    state: fc.constantFrom('Delivered', 'Failed', 'Sent', 'Read', 'AbsentSubscriber', 'Uncertain'),
  });
  const step = fc.oneof(
    { weight: 1, arbitrary: fc.constant('handOver' as const) },
    { weight: 2, arbitrary: fc.constant('look' as const) },
    { weight: 5, arbitrary: fc.array(report, { minLength: 1, maxLength: 5 }) },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('sms' as const, 'data' as const, 'chatapp' as const),
      fc.array(step, { minLength: 1, maxLength: 12 }),
      async (product, steps) => {
        turn += 1;
        const id = await accepted(product);
        const parts = product === 'sms' ? 3 : 1;
        const networkIds = Array.from({ length: parts }, (_, index) => `p-${turn}-${index}`);
        const seen: (string | undefined)[] = [];
        const connector = connectorOf[product];
        for (const one of [...steps, 'handOver' as const, 'look' as const]) {
          if (one === 'handOver') await handOver(id, networkIds, connector);
          else if (one === 'look') await look();
          else
            await store(
              connector,
              one.map(({ part, state }) => ({ networkId: `p-${turn}-${part}`, state: state as 'Delivered' })),
            );
          seen.push(await stateOf(id));
        }
        const receipts = await receiptsOf(id);
        expect(new Set(receipts).size).toBe(receipts.length);
        const final = seen.find((state) => finals[product].has(state ?? ''));
        if (final !== undefined) {
          expect(new Set(seen.slice(seen.indexOf(final)))).toEqual(new Set([final]));
          expect(receipts.filter((state) => finals[product].has(state))).toEqual([final]);
        }
        await messages.database.knex('network_reports').delete();
      },
    ),
    { seed, numRuns: runs },
  );
}, 240_000);

const connectorOf = { sms: 'smsc', data: 'provider', chatapp: 'app' };
const finals = {
  sms: new Set(['Delivered', 'Failed', 'AbsentSubscriber']),
  data: new Set(['Delivered', 'Failed', 'Uncertain']),
  chatapp: new Set(['Read', 'Failed', 'Uncertain']),
};
