/** What a person's request finds in the texts of clients, however the number is written there. */
import { expect, test } from '@jest/globals';
import { testEvery } from '../platform/for-every-testing.ts';
import { eraseSubjectMessages } from './subject-repository.ts';
import { openedRetention, phone } from './testing.ts';

const retention = openedRetention();

/** The callback URL of a request after its only recipient, +254711000000, was erased. */
async function urlAfter(url: string): Promise<string | null> {
  const { knex } = retention;
  const id = await retention.accepted(1);
  const [{ request_id: request }] = await retention.messages(id);
  await knex('requests').where({ id: request }).update({ callback_url: url });
  await knex.transaction((trx) => eraseSubjectMessages(trx, [id]));
  return (await knex('requests').where({ id: request }).first()).callback_url;
}

testEvery([
  ['as it is', '254711000000'],
  ['with a plus', phone],
  ['of its country', '0711000000'],
  ['with signs', '254-711.000(000)'],
  ['percent-encoded where it must be', '%2B254711000000'],
  ['with encoded spaces', '%2B254%20711%20000%20000'],
  ['with encoded digits', '%32%35%34%37%31%31%30%30%30%30%30%30'],
  ['encoded twice', '%252B254%2520711%2520000%2520000'],
  ['encoded three times', '254%252520711%252520000%252520000'],
  ['after a percent sign', '%254711000000'],
])('a callback URL with the number %s', async (_how, written) => {
  expect(await urlAfter(`https://shop.example/r?who=${written}&n=1`)).toBeNull();
});

test('a message keeps neither the number nor what the network said of it', async () => {
  const id = await retention.accepted(1);
  await retention.knex('messages').where({ id }).update({ network_id: 'wamid.254711000000' });
  await retention.knex.transaction((trx) => eraseSubjectMessages(trx, [id]));
  expect(await retention.messages(id)).toMatchObject([{ phone: '', network_id: null }]);
  expect(JSON.stringify(await retention.messages(id))).not.toContain('711000000');
});

test('traces of the request and of its receipts go, whatever they say: that of others too', async () => {
  const { knex } = retention;
  const id = await retention.accepted(1, { receipt: 'Delivered' });
  const [{ request_id: request }] = await retention.messages(id);
  const sibling = await retention.accepted(1, { receipt: 'Delivered' });
  await knex('messages')
    .where({ id: sibling })
    .update({ request_id: request, position: 1, phone: '+254722000000' });
  await knex('receipts')
    .where({ message_id: sibling })
    .update({ request_id: request, body: '{}', attempt_log: '[]' });
  await knex.transaction((trx) => eraseSubjectMessages(trx, [id]));
  expect(await knex('requests').where({ id: request }).pluck('trace')).toEqual([null]);
  expect(await knex('receipts').where({ request_id: request }).pluck('trace')).toEqual([null, null]);
});

test('a callback URL without it stays', async () => {
  const url = 'https://shop.example/r?who=%2B254722%20000%20000';
  expect(await urlAfter(url)).toBe(url);
});
