/** Clients as operators change them: what they may do, from where, how fast, and which of their tokens count. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createClientRepository } from '../../access/repository.ts';
import type { Database } from '../../platform/db/knex.ts';
import { clearTables, openTestDatabase } from '../../platform/db/testing.ts';
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
  await clearTables(database.knex, 'teams, clients');
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

  test('says of which option the service refuses the value', async () => {
    expect(await set('--address nowhere')).toBe('--address nowhere is not an IP address or CIDR block');
    const setRate = (rate: string) => tarishi(`team set acme --operation-rate ${rate}`);
    expect(await setRate('sendSms=0')).toBe('--operation-rate at /sendSms must be at least 1');
    expect(await setRate('sendFax=5')).toMatch(/^--operation-rate must be for one of sendSms, /);
  });
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
