/** Clients as operators change them: what they may do, from where, how fast, and which of their tokens count. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createClientRepository } from '../../access/repository.ts';
import type { Database } from '../../platform/db/knex.ts';
import { openTestDatabase } from '../../platform/db/testing.ts';
import { createSecrets, placeOf } from '../../platform/secrets/secrets.ts';
import { createCommandLine } from '../line/testing.ts';
import { allCommands } from '../main.ts';

const secrets = createSecrets(randomBytes(32));
let database: Database;

beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.knex.raw('truncate teams, clients cascade');
  await tarishi('team add acme');
  await tarishi('client add orders --team acme --scope message.sms.send.oneway');
});

const tarishi = createCommandLine(allCommands(), {
  database: () => database,
  secrets,
});

async function stored() {
  const client = await createClientRepository(database.knex).findClient('orders');
  if (client === undefined) throw new Error('the client is gone');
  return client;
}

describe('client set', () => {
  const set = (words: string) => tarishi(`client set orders ${words}`);

  test('replaces scopes and addresses; options that you omit stay unchanged', async () => {
    const scopes = ['message.sms.send.oneway', 'message.chatapp.send'];
    const allowedAddresses = ['192.0.2.0/24', '2001:db8::1'];
    expect(await set(`--scope ${scopes[1]} --scope ${scopes[0]}`)).toMatchObject({
      scopes,
      allowedAddresses: [],
    });
    expect(await set('--address 192.0.2.0/24 --address 2001:db8::1')).toMatchObject({
      scopes,
      allowedAddresses,
    });
    expect(await set('--scope message.chatapp.send')).toMatchObject({
      scopes: ['message.chatapp.send'],
      allowedAddresses,
    });
    expect(await set('--any-address')).toMatchObject({ allowedAddresses: [] });
    expect(await stored()).toMatchObject({ scopes: ['message.chatapp.send'], allowedAddresses: [] });
  });

  test('sets a rate and removes it again', async () => {
    expect(await set('--rate 50')).toMatchObject({ ratePerSecond: 50 });
    expect(await stored()).toMatchObject({ ratePerSecond: 50 });
    const without = await set('--default-rate --name Orders');
    expect(without).toMatchObject({ name: 'Orders' });
    expect(without).not.toHaveProperty('ratePerSecond');
  });

  test.each([
    ['nothing', '', 'nothing to change: give at least one option'],
    ['no address', '--address nowhere', '--address nowhere is not an IP address or CIDR block'],
    ['any and some', '--any-address --address ::1', '--address and --any-address cannot be combined'],
    ['two rates', '--rate 5 --default-rate', '--rate and --default-rate cannot be combined'],
    ['a rate of zero', '--rate 0', '--rate must be a whole number from 1 to 1000000'],
    ['an unknown scope', '--scope admin', expect.stringMatching(/^--scope .*must be one of message/)],
  ])('rejects %s, and changes nothing', async (_rule, words, sentence) => {
    const before = await stored();
    expect(await tarishi(`client set orders ${words}`.trim())).toEqual(sentence);
    expect(await stored()).toEqual(before);
  });

  test('rejects an unknown client', async () => {
    expect(await tarishi('client set nobody --rate 5')).toBe('client nobody does not exist');
  });
});

test('team set changes name, rate and days', async () => {
  const acme = {
    id: 'acme',
    name: 'acme',
    ratePerSecond: 1000,
    operationRates: {},
    caps: {},
    destinations: {},
    createdAt: expect.any(String),
  };
  expect(await tarishi('team set acme --rate 1000')).toEqual(acme);
  expect(await tarishi('team set acme --name Acme')).toEqual({ ...acme, name: 'Acme' });
  const days = { textDays: 1, receiptDays: 2, numberDays: 3 };
  expect(await tarishi('team set acme --text-days 1 --receipt-days 2 --number-days 3')).toMatchObject(days);
  const renamed = { ...acme, name: 'Acme' };
  expect(await tarishi('team set acme --no-text-days --no-receipt-days --no-number-days')).toEqual(renamed);
  expect(await tarishi('team list')).toEqual([renamed]);
  expect(await tarishi('team set acme --default-rate')).not.toHaveProperty('ratePerSecond');
  expect(await tarishi('team set nobody --rate 5')).toBe('team nobody does not exist');
});

test('team set changes the rates of single operations', async () => {
  const set = (words: string) => tarishi(`team set acme ${words}`);
  expect(await set('--operation-rate sendSms=50 --operation-rate listMessages=5')).toMatchObject({
    operationRates: { sendSms: 50, listMessages: 5 },
  });
  expect(await set('--operation-rate sendSms=60 --default-operation-rate listMessages')).toMatchObject({
    operationRates: { sendSms: 60 },
  });
  expect(await set('--default-operation-rate sendSms')).toMatchObject({ operationRates: {} });
});

test.each([
  ['sendSms', '--operation-rate must be a name and a number, such as sendSms=50'],
  ['sendSms=0', expect.stringMatching(/^--operation-rate at \/sendSms must be at least 1$/)],
  ['sendFax=5', expect.stringMatching(/^--operation-rate must be for one of sendSms, /)],
  ['sendSms=5 --default-operation-rate sendSms', '--operation-rate sendSms is given more than once'],
])('team set refuses the operation rate %s', async (words, sentence) => {
  expect(await tarishi(`team set acme --operation-rate ${words}`)).toEqual(sentence);
});

describe('tokens that were issued before', () => {
  const endedBy = async (words: string) => {
    const { tokensValidFromMs: before } = await stored();
    await tarishi(words);
    return (await stored()).tokensValidFromMs > before;
  };

  test('survive a rotation, and end when the former secret is withdrawn', async () => {
    expect(await endedBy('client rotate orders')).toBe(false);
    expect(await endedBy('client revoke-former orders')).toBe(true);
  });

  test('end when a second rotation pushes the oldest secret out', async () => {
    expect(await endedBy('client rotate orders')).toBe(false);
    expect(await endedBy('client rotate orders')).toBe(true);
  });

  test('do not depend on signing secrets', async () => {
    for (let time = 0; time < 3; time += 1)
      expect(await endedBy('client rotate orders --secret signing')).toBe(false);
    expect(await endedBy('client revoke-former orders')).toBe(false);
  });

  test('end when the client is disabled; enabling it again does not revive them', async () => {
    expect(await endedBy('client revoke orders')).toBe(true);
    expect(await stored()).toMatchObject({ enabled: false });
    expect(await endedBy('client restore orders')).toBe(true);
    expect(await stored()).toMatchObject({ enabled: true });
  });
});

test('a signing secret that was moved to another client does not open', async () => {
  const [sealed = ''] = (await stored()).signingSecrets;
  expect(secrets.decrypt(sealed, placeOf.signingSecret('orders'))).toMatch(/^whsec_/);
  expect(() => secrets.decrypt(sealed, placeOf.signingSecret('other'))).toThrow('belongs to another row');
});
