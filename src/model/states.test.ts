/** States only move forward, whatever networks report and how often, and units and receipts follow them. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sized } from '../platform/sized-testing.ts';
import { recordedMessages } from '../receipts/record-testing.ts';
import type { Product } from './plan.ts';
import { products } from './products.ts';
import { isFinal, type MessageState, type StateChange } from './states.ts';

const seed = Number(process.env.SEED);

const messages = recordedMessages();

async function expectLedgerToMatch(): Promise<void> {
  const { balance, entries } = await messages.totals();
  expect(entries).toBe(balance);
}

/** The contract's own words for what may follow what, apart from the code's tables. */
const mayFollow: Record<Product, (before: string, after: string) => boolean> = {
  sms: (before, after) => before === 'Queued' || (before === 'Submitted' && after !== 'Submitted'),
  data: (before, after) =>
    before === 'Queued' ||
    (before === 'Sending' && after !== 'Sending') ||
    (before === 'Submitted' && !['Sending', 'Submitted'].includes(after)),
  chatapp: (before, after) =>
    before === 'Queued' ||
    (before === 'Sending' && after !== 'Sending') ||
    (before === 'Submitted' && !['Sending', 'Submitted'].includes(after)) ||
    (before === 'Sent' && !['Sending', 'Submitted', 'Sent'].includes(after)) ||
    (before === 'Delivered' && after === 'Read'),
};
/** We end a message only while no network has it. */
const mayEnd = (before: string, after: string) =>
  (after !== 'Expired' || ['Queued', 'Sending'].includes(before)) &&
  (after !== 'Cancelled' || before === 'Queued');
const onTheWay = {
  sms: ['Submitted'],
  data: ['Sending', 'Submitted'],
  chatapp: ['Sending', 'Submitted', 'Sent', 'Delivered'],
};
const heardOf = (product: Product, state: string) =>
  product === 'chatapp'
    ? !['Queued', 'Sending', 'Submitted'].includes(state)
    : isFinal(product, state as MessageState);

describe.each(['sms', 'data', 'chatapp'] as const)('any sequence of reports on %s', (product) => {
  test('states move forward, one receipt per state, at most one refund per message', async () => {
    const step = fc.record({
      message: fc.nat({ max: 2 }),
      state: fc.constantFrom<StateChange['state']>(
        ...(onTheWay[product] as StateChange['state'][]),
        ...(onTheWay[product] as StateChange['state'][]),
        ...products[product].finalStates,
      ),
      refund: fc.boolean(),
    });
    const batches = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(batches, fc.boolean(), async (sequence, wantsReceipts) => {
        const ids = await messages.accept(3, { product, ...(wantsReceipts ? {} : { callbackUrl: null }) });
        const model = new Map(ids.map((id) => [id, { state: 'Queued', refunded: false }]));
        const expected: { messageId: string; state: string }[] = [];
        for (const batch of sequence) {
          const changes = batch.map(({ message, state, refund }) => ({
            messageId: ids[message] ?? '',
            product,
            state,
            refund: refund && isFinal(product, state),
          }));
          const heard: string[] = [];
          for (const { messageId, state, refund } of changes) {
            const known = model.get(messageId);
            if (known === undefined || !mayFollow[product](known.state, state) || !mayEnd(known.state, state))
              continue;
            // A bundle is refunded whenever it is rejected, other messages only before they were submitted.
            known.refunded ||= refund && (product === 'data' || ['Queued', 'Sending'].includes(known.state));
            known.state = state;
            if (heardOf(product, state)) {
              heard.push(`${messageId} ${state}`);
              expected.push({ messageId, state });
            }
          }
          const reached = await messages.record(...changes);
          expect(reached.map(({ messageId, state }) => `${messageId} ${state}`).sort()).toEqual(heard.sort());
          expect(await messages.statesOf(ids)).toEqual(ids.map((id) => model.get(id)?.state));
        }
        const bodies = (await messages.receiptsOf(ids)).map(({ body }) => body).sort();
        expect(bodies).toEqual(wantsReceipts ? expected.map((one) => JSON.stringify(one)).sort() : []);
        const refunds = (await messages.refundsOf(ids)).map(({ message_id }) => message_id);
        expect(refunds).toEqual(ids.filter((id) => model.get(id)?.refunded));
        await expectLedgerToMatch();
      }),
      { numRuns: sized(12, 400), seed },
    );
  }, 300_000);
});
