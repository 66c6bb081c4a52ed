/** What is erased when, on a real database. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { readMessages } from '../read/messages/message-repository.ts';
import { recordChanges } from '../receipts/record.ts';
import { consequences } from '../receipts/record-testing.ts';
import { resendReceipt } from '../receipts/resend-repository.ts';
import { type Given, openedRetention, phone } from './testing.ts';

const retention = openedRetention();
beforeEach(() => retention.empty());

const erase = (later?: boolean) => retention.erase(later);
const accepted = (daysAgo: number, given?: Given) => retention.accepted(daysAgo, given);
const message = async (id: string) => (await retention.messages(id))[0];
const end = (id: string) =>
  retention.knex.transaction((trx) =>
    recordChanges(trx, [{ messageId: id, product: 'sms', state: 'Delivered', refund: false }], consequences),
  );

describe('texts', () => {
  test("and correlators are erased after 7 days, or sooner if a team's setting says so", async () => {
    const [old, young] = [await accepted(8), await accepted(6)];
    const [brief, briefYoung] = [
      await accepted(2, { team: 'brief' }),
      await accepted(0.5, { team: 'brief' }),
    ];
    await erase();
    const contents = await Promise.all([old, young, brief, briefYoung].map(message));
    expect(contents.map(({ content }) => content)).toEqual(['', 'Habari', '', 'Habari']);
    const kept = await retention.knex('requests').whereNotNull('correlator').pluck('id');
    expect(kept.sort()).toEqual([contents[1].request_id, contents[3].request_id].sort());
  });

  test('of a bundle are its denomination, which stays', async () => {
    const id = await accepted(8, { product: 'data' });
    await erase();
    expect(await message(id)).toMatchObject({ content: '1GB' });
  });

  test('of a message that is not final are erased once it is', async () => {
    const id = await accepted(8, { state: 'Submitted' });
    await erase();
    expect(await message(id)).toMatchObject({ content: 'Habari' });
    await erase(true);
    expect(await retention.knex('requests').first()).toMatchObject({ correlator: 'order-1' });
    await end(id);
    await erase(true);
    expect(await message(id)).toMatchObject({ content: '', state: 'Delivered' });
    expect(await retention.knex('requests').first()).toMatchObject({ correlator: null });
    expect(await retention.knex('erasures_due')).toEqual([]);
  });

  test('with a one-time code are erased the moment the message is final', async () => {
    const id = await accepted(0, { state: 'Submitted', oneTime: true });
    expect(await message(id)).toMatchObject({ content: 'Habari' });
    await end(id);
    expect(await message(id)).toMatchObject({ content: '', state: 'Delivered' });
  });
});

describe('receipts', () => {
  const receipts = () => retention.knex('receipts').orderBy('created_at').select('id', 'body', 'attempt_log');

  test('lose body and attempts after 30 days, and cannot be posted again then', async () => {
    await accepted(31, { receipt: 'Exhausted' });
    await accepted(29, { receipt: 'Delivered' });
    await erase();
    const [old, young] = await receipts();
    expect([old?.body, old?.attempt_log]).toEqual(['', []]);
    expect(young).toMatchObject({ body: expect.stringContaining(phone), attempt_log: [expect.anything()] });
    const resent = await Promise.all(
      [old, young].map((one) => resendReceipt(retention.knex, 'acme', one.id)),
    );
    expect(resent).toEqual([false, true]);
  });

  test('that still wait lose them once they are done', async () => {
    await accepted(31, { receipt: 'Waiting' });
    await erase(true);
    expect((await receipts())[0]?.body).toContain(phone);
    await retention.knex('receipts').update({ state: 'Delivered' });
    await erase(true);
    expect((await receipts())[0]?.body).toBe('');
  });
});

test('traces, in which clients may write what they like, go with texts and receipts', async () => {
  const [old, young] = [
    await accepted(31, { receipt: 'Delivered' }),
    await accepted(1, { receipt: 'Delivered' }),
  ];
  await erase();
  for (const [id, kept] of [
    [old, false],
    [young, true],
  ] as const) {
    const [request] = await retention
      .knex('requests')
      .where({ id: (await message(id)).request_id })
      .pluck('trace');
    const [receipt] = await retention.knex('receipts').where({ message_id: id }).pluck('trace');
    expect([request !== null, receipt !== null]).toEqual([kept, kept]);
  }
});

describe('numbers', () => {
  test('become hashes after 90 days, which searches by the number still find', async () => {
    const [old, young] = [await accepted(91), await accepted(89)];
    await retention
      .knex('message_parts')
      .insert({ connector: 'simulator', network_id: 'p', message_id: old, parts: 2 });
    await retention
      .knex('messages')
      .where({ id: old })
      .update({ details: { mccMnc: '63902' } });
    await erase();
    const stored = await message(old);
    expect(stored).toMatchObject({
      phone: retention.hashPhone(phone),
      network_id: null,
      reason: 'no route to …',
      details: null,
    });
    expect(await message(young)).toMatchObject({ phone });
    expect(await retention.knex('message_parts')).toEqual([]);
    const none = { correlator: undefined, state: undefined, from: undefined, to: undefined };
    const search = { ...none, phone, phoneHash: retention.hashPhone(phone) };
    const { items } = await readMessages(retention.knex)('acme', search, undefined, 10);
    expect(items.map(({ requestId, phone: shown }) => [requestId, shown])).toEqual([
      [(await message(young)).request_id, phone],
      [stored.request_id, undefined],
    ]);
  });

  test('a later report changes the state and creates no receipt', async () => {
    const id = await accepted(91, { state: 'Delivered', product: 'chatapp' });
    await erase();
    await retention.knex.transaction((trx) =>
      recordChanges(trx, [{ messageId: id, product: 'chatapp', state: 'Read', refund: false }], consequences),
    );
    expect(await message(id)).toMatchObject({ state: 'Read' });
    expect(await retention.knex('receipts')).toEqual([]);
  });
});

test('a second round changes nothing, and skips what the first has seen', async () => {
  for (let day = 0; day < 50; day += 1) await accepted(95, { receipt: 'Delivered' });
  await erase();
  const versions = () =>
    retention.knex('messages').orderBy('id').select('id', retention.knex.raw('xmin::text as version'));
  const before = await versions();
  await erase();
  expect(await versions()).toEqual(before);
  expect(await retention.knex('messages').where('phone', 'like', '+%')).toEqual([]);
  expect(await retention.knex('retention_progress').orderBy('duty').pluck('duty')).toEqual([
    'numbers',
    'receipts',
    'texts',
  ]);
});

test('processes that erase concurrently do not disturb each other', async () => {
  for (let request = 0; request < 60; request += 1) await accepted(95, { receipt: 'Delivered' });
  await Promise.all([erase(), erase(), erase()]);
  await erase();
  expect(await retention.knex('messages').whereNot({ content: '' }).orWhere('phone', 'like', '+%')).toEqual(
    [],
  );
  expect(await retention.knex('receipts').whereNot({ body: '' })).toEqual([]);
});
