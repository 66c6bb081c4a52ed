/** Reports of networks against a real database: matched whenever they arrive, harmless when repeated. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { NetworkReport } from '../../connectors/contract/connector.ts';
import { sized } from '../../platform/sized-testing.ts';
import { submitted } from '../../receipts/record-testing.ts';
import { openedReports } from './testing.ts';

const { messages, accepted, handOver, store, look, round, waiting, wakes, stateOf, receiptsOf } =
  openedReports();

describe('a report', () => {
  test('changes the message that has its id at this connector, and no other', async () => {
    const [one, other] = [await accepted(), await accepted()];
    await handOver(one, ['a-1']);
    await handOver(other, ['a-1'], 'another');
    await store('smsc', [{ networkId: 'a-1', state: 'AbsentSubscriber', reason: 'off', reasonCode: '27' }]);
    expect([await waiting(), wakes()]).toEqual([0, 0]);
    expect([await stateOf(one), await stateOf(other)]).toEqual(['AbsentSubscriber', 'Submitted']);
    expect(await messages.rowsOf([one])).toMatchObject([{ reason: 'off', reason_code: '27' }]);
  });

  test('that overtakes the response to the hand-over waits for it', async () => {
    const id = await accepted();
    await store('smsc', [{ networkId: 'b-1', state: 'Delivered' }]);
    expect(wakes()).toBe(1);
    await look();
    expect([await stateOf(id), await waiting()]).toEqual(['Queued', 1]);
    await handOver(id, ['b-1']);
    await round();
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

describe('a report that esm_class does not call one', () => {
  const [own, strange] = ['+254711000000', '+254722000000'];
  const unmarked = (networkId: string, phone: string) =>
    store('smsc', [{ networkId, phone, state: 'Delivered' }]);

  test.each([
    ['a message', ['u-1']],
    ['a message of several parts', ['u-2', 'u-3']],
  ])('counts for %s to the number that it comes from, and for no other', async (_what, networkIds) => {
    const id = await accepted();
    await handOver(id, networkIds);
    for (const networkId of networkIds) await unmarked(networkId, strange);
    await look();
    expect([await stateOf(id), await waiting()]).toEqual(['Submitted', 0]);
    for (const networkId of networkIds) await unmarked(networkId, own);
    expect(await stateOf(id)).toBe('Delivered');
  });

  test.each([
    [own, 'Delivered'],
    [strange, 'Submitted'],
  ])('waits for a message that is not known yet: from %s it is then %s', async (phone, state) => {
    const id = await accepted();
    await unmarked(`w-${phone}`, phone);
    expect(await waiting()).toBe(1);
    await handOver(id, [`w-${phone}`]);
    await look();
    expect([await stateOf(id), await waiting()]).toEqual([state, 0]);
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

  const delivered = { state: 'Delivered' } as const;
  const refused = { state: 'Failed', refund: 'refused' } as const;
  const reversed = { state: 'Failed', refund: 'reversed' } as const;

  test.each<[string, Pick<NetworkReport, 'state' | 'refund'>[][], string[]]>([
    ['rejected after it was accepted is refunded', [[refused]], ['Failed']],
    [
      'reversed after delivery is refunded and has a second receipt',
      [[delivered, reversed, reversed]],
      ['Delivered', 'Failed'],
    ],
    ['reversed before its delivery was reported is refunded once', [[reversed], [delivered]], ['Failed']],
  ])('that is %s', async (what, told, receipts) => {
    const id = await accepted('data');
    await handOver(id, [what], 'provider');
    for (const reports of told)
      await store(
        'provider',
        reports.map((report) => ({ networkId: what, ...report })),
      );
    expect([await stateOf(id), await units(id), await receiptsOf(id)]).toEqual(['Failed', ['2'], receipts]);
  });
});

const takeWhole = (messageId: string, [networkId]: readonly string[]) =>
  messages.record({ ...submitted(messageId), connector: 'smsc', networkId });

test.each([
  ['message', takeWhole],
  ['part', handOver],
])('an id that a network uses again for a %s belongs to the newest one', async (what, take) => {
  const [old, fresh] = [await accepted(), await accepted()];
  await take(old, [what]);
  await take(fresh, [what]);
  await store('smsc', [{ networkId: what, state: 'Delivered' }]);
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
