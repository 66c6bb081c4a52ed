/** People have several names in chat apps: who stops under one has stopped under all, whatever comes in between. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { PhoneMessage } from '../connectors/contract/phone-message.ts';
import { findOptedOut } from '../products/consent/opt-out-repository.ts';
import { eraseNames, findNames, retainNames } from '../retention/person-repository.ts';
import { type InboundTestBed, openInbound, phone, text } from './testing.ts';

let inbound: InboundTestBed;
beforeAll(async () => {
  inbound = await openInbound();
  await inbound.addChatService('shop');
});
afterAll(() => inbound.database.close());
beforeEach(async () => {
  for (const table of ['opt_outs', 'network_preferences', 'person_names', 'inbound_messages'])
    await inbound.database.knex(table).delete();
});

const user = 'KE.13491208655302741918';
const parent = 'KE.ENT.11815799212886844830';
const newPhone = '+254733000000';
const newUser = 'KE.2';
const hash = (name: string) => `#${name}`;

const say = (words: string, name: string) => {
  const who: Partial<PhoneMessage> = name.startsWith('+')
    ? { from: name.slice(1) }
    : { from: undefined, userId: name };
  return inbound.receiveChat(text(words, { ...who, to: '', toId: 'of-shop', repeatedWithinSeconds: null }));
};
const set = (marketing: boolean, name: string, second: number) =>
  inbound.recordPreferences('chat', [
    {
      ...(name.startsWith('+') ? { from: name.slice(1) } : { from: undefined, userId: name }),
      ...{ to: '', toId: 'of-shop', marketing, occurredAt: new Date(Date.UTC(2026, 0, 1, 0, 0, second)) },
    },
  ]);
const show = (...names: string[]) => inbound.learn('chat', [{ names }]);
const change = (...names: string[]) => inbound.learn('chat', [{ names, isChange: true }]);
const erase = async (name: string) => {
  const { knex } = inbound.database;
  await eraseNames(
    knex,
    (await findNames(knex, hash(name))).map((one) => one.hash),
  );
};

/** Those of the names that get no promotions of the shop, or of a product. */
async function stopped(names: readonly string[], product: 'sms' | 'chatapp' = 'chatapp') {
  const asked = names.map((name) => ({
    ...{ id: name, product, phone: name, teamId: 'acme', serviceId: 'shop', category: 'MARKETING' as const },
  }));
  const found = await findOptedOut(inbound.database.knex, asked, hash);
  return names.filter((name) => found.has(name));
}

test('a message of somebody without a number is one like any other, and so is its STOP', async () => {
  await say('Habari', user);
  await say('stop', user);
  expect(await inbound.stored()).toMatchObject([
    { phone: user, text: 'Habari', keyword: null },
    { phone: user, keyword: 'STOP' },
  ]);
  expect(await stopped([user, phone])).toEqual([user]);
  // The confirmation goes to the id.
  expect(await inbound.database.knex('messages').where({ phone: user }).pluck('product')).toEqual([
    'chatapp',
  ]);
});

describe('a stop holds under every name that the network showed', () => {
  const names = [phone, user, parent];
  test.each<[string, () => Promise<unknown>, string[]]>([
    ['of nobody else', () => say('STOP', user), [user]],
    ['said before', async () => [await say('STOP', user), await show('254711000000', user, parent)], names],
    ['said after', async () => [await show('254711000000', user, parent), await say('STOP', phone)], names],
    [
      'shown in parts',
      async () => [await show(user, parent), await show('254711000000', user), await say('STOP', parent)],
      names,
    ],
    ['set at the network', async () => [await show(phone, user), await set(false, user, 1)], [phone, user]],
    [
      'taken back under another',
      async () => [await show(phone, user), await say('STOP', phone), await say('START', user)],
      [],
    ],
    [
      'resumed under another',
      async () => [await show(phone, user), await set(false, phone, 1), await set(true, user, 2)],
      [],
    ],
    [
      'resumed earlier under another',
      async () => [await show(phone, user), await set(false, phone, 2), await set(true, user, 1)],
      [phone, user],
    ],
    [
      'the person erased in between',
      async () => [await show(phone, user), await erase(phone), await say('STOP', user)],
      [phone, user],
    ],
  ])('%s', async (_what, happen, held) => {
    await happen();
    expect(await stopped(names)).toEqual(held);
    expect(await stopped(names, 'sms')).toEqual([]);
  });
});

test('a reply under one name leads to the message that went to another', async () => {
  const { knex } = inbound.database;
  const requestId = await inbound.sent('shop', { product: 'chatapp' });
  await say('Ndiyo', user);
  await show(phone, user);
  await say('Asante', user);
  expect((await inbound.stored()).map((one) => one.request_id)).toEqual([null, requestId]);
  await knex('messages').delete();
});

describe('who changes their number or id', () => {
  const names = [phone, user, newPhone, newUser];
  test.each<[string, () => Promise<unknown>, string[]]>([
    [
      'has both',
      async () => [await say('STOP', phone), await change('254711000000', user, newUser, newPhone)],
      names,
    ],
    [
      'and told only the numbers',
      async () => [await show(phone, user), await say('STOP', user), await change(phone, newPhone)],
      [phone, user, newPhone],
    ],
    ['and only the ids', async () => [await say('STOP', user), await change(user, newUser)], [user, newUser]],
    [
      'keeps their stop when somebody else gets the number',
      async () => [await show(phone, user), await say('STOP', phone), await show(phone, newUser)],
      [phone, user, newUser],
    ],
    [
      'is not resumed by whoever gets the number',
      async () => [
        await show(phone, user),
        await say('STOP', phone),
        await show(phone, newUser),
        await say('START', newUser),
      ],
      [user],
    ],
    [
      'and a stop of the new owner is not theirs',
      async () => [await show(phone, user), await show(phone, newUser), await say('STOP', newUser)],
      [phone, newUser],
    ],
  ])('%s', async (_what, happen, held) => {
    await happen();
    expect(await stopped(names)).toEqual(held);
  });
});

test('names that are no longer shown are erased with numbers; what they mean stays', async () => {
  const { knex } = inbound.database;
  await show(phone, user);
  await knex('person_names').update({ seen_at: knex.raw(`service_now() - interval '91 days'`) });
  await retainNames(knex, { texts: 7, receipts: 7, numbers: 90 });
  expect(await knex('person_names').pluck('name')).toEqual([null, null]);
  await say('STOP', user);
  expect(await stopped([phone])).toEqual([phone]);
});
