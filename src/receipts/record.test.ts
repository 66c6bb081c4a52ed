/** A change takes effect once: states, receipts, refunds. */
import { describe, expect, test } from '@jest/globals';
import { originKeyOf } from './callback/callback-url.ts';
import { delivered, recordedMessages, rejected, submitted } from './record-testing.ts';

const messages = recordedMessages();

async function expectLedgerToMatch(): Promise<void> {
  const { balance, entries } = await messages.totals();
  expect(entries).toBe(balance);
}

describe('a change', () => {
  test("a hand-over stores the network's id and creates no receipt", async () => {
    const ids = await messages.accept(1);
    expect(
      await messages.record({ ...submitted(ids[0] ?? ''), networkId: 'n-1', segments: 3 }),
    ).toStrictEqual([]);
    expect(await messages.rowsOf(ids)).toMatchObject([
      { state: 'Submitted', network_id: 'n-1', segments: 3, submitted_at: expect.any(Date), final_at: null },
    ]);
    expect(await messages.receiptsOf(ids)).toStrictEqual([]);
  });

  test('a final state creates a receipt with all that it needs', async () => {
    const ids = await messages.accept(1);
    const [messageId = ''] = ids;
    const [message] = await messages.rowsOf(ids);
    expect(await messages.record(rejected(messageId))).toStrictEqual([
      {
        messageId,
        product: 'sms',
        requestId: message.request_id,
        teamId: 'team',
        clientId: 'client',
        resourceId: 'sms',
        position: 0,
        sequence: 1,
        correlator: 'order-17',
        callbackUrl: 'https://example.com/receipts',
        trace: null,
        channel: 'Safaricom',
        phone: '+254711000000',
        content: 'Habari',
        hasFallback: false,
        networkId: null,
        state: 'Failed',
        wasDelivered: false,
        reachedAt: expect.any(Date),
        reason: 'No route',
        reasonCode: '11',
      },
    ]);
    expect(await messages.receiptsOf(ids)).toMatchObject([
      {
        request_id: message.request_id,
        team_id: 'team',
        client_id: 'client',
        url: 'https://example.com/receipts',
        origin_key: originKeyOf('https://example.com'),
        body: JSON.stringify({ messageId, state: 'Failed' }),
        state: 'Waiting',
        attempts: 0,
      },
    ]);
  });

  test('without a callback URL there is no receipt', async () => {
    const ids = await messages.accept(1, { callbackUrl: null });
    expect(await messages.record(delivered(ids[0] ?? ''))).toHaveLength(1);
    expect(await messages.receiptsOf(ids)).toStrictEqual([]);
  });

  test.each([
    ['does not parse', 'https://256.256.256.256/'],
    ['has an origin too long for an index', `https://${'%E3%8D%BF'.repeat(226)}/`],
  ])('a callback URL that %s gets no receipt, and the others have theirs', async (_rule, callbackUrl) => {
    const [poisoned = ''] = await messages.accept(1, { callbackUrl });
    const others = await messages.accept(2);
    await messages.record(...[poisoned, ...others].map(delivered));
    expect(await messages.statesOf([poisoned, ...others])).toStrictEqual(Array(3).fill('Delivered'));
    expect(await messages.receiptsOf([poisoned])).toStrictEqual([]);
    expect(await messages.receiptsOf(others)).toHaveLength(2);
  });

  test('of an unknown message does nothing', async () => {
    expect(await messages.record(delivered('999999999'))).toStrictEqual([]);
  });

  test('a hand-over and its report in one transaction end in the report', async () => {
    const ids = await messages.accept(1);
    await messages.record(submitted(ids[0] ?? ''), delivered(ids[0] ?? ''));
    expect(await messages.statesOf(ids)).toStrictEqual(['Delivered']);
  });
});

describe('units', () => {
  test('of messages that were never submitted are refunded, once', async () => {
    const ids = await messages.accept(2);
    for (let time = 0; time < 3; time += 1) await messages.record(...ids.map(rejected));
    expect(await messages.refundsOf(ids)).toMatchObject(
      ids.map((id) => ({ message_id: id, units: '2', reason: 'Refund', account_id: messages.accountId })),
    );
    await expectLedgerToMatch();
  });

  test('of messages that a network accepted are spent', async () => {
    const ids = await messages.accept(2);
    await messages.record(submitted(ids[0] ?? ''));
    await messages.record(rejected(ids[0] ?? ''), { ...rejected(ids[1] ?? ''), refund: false });
    expect(await messages.statesOf(ids)).toStrictEqual(['Failed', 'Failed']);
    expect(await messages.refundsOf(ids)).toStrictEqual([]);
  });

  test('of zero are not refunded', async () => {
    const ids = await messages.accept(1, { units: 0 });
    await messages.record(rejected(ids[0] ?? ''));
    expect(await messages.refundsOf(ids)).toStrictEqual([]);
  });
});

test('of many concurrent transactions with the same messages one counts', async () => {
  const ids = await messages.accept(20);
  const finished = await Promise.all(
    Array.from({ length: 8 }, (_, turn) =>
      messages.record(
        ...(turn % 2 === 0 ? ids : [...ids].reverse()).map(turn % 3 === 0 ? rejected : delivered),
      ),
    ),
  );
  expect(finished.flat()).toHaveLength(20);
  expect((await messages.receiptsOf(ids)).map(({ message_id }) => message_id)).toStrictEqual(ids);
  await expectLedgerToMatch();
});
