/** What operators look up: requests, messages, receipts, the ledger, the audit log, statistics and the doctor. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sealLedgers } from '../../balances/seal-repository.ts';
import { createSecrets } from '../../clients/secrets.ts';
import type { Database } from '../../db/knex.ts';
import { openTestDatabase } from '../../db/testing.ts';
import { teamCommands } from '../access/teams.ts';
import { createCommandLine } from '../line/testing.ts';
import { channelCommands } from '../networks/channels.ts';
import { connectorCommands } from '../networks/connectors.ts';
import { accountCommands } from '../units/accounts.ts';
import { ledgerCommands } from '../units/ledger.ts';
import { messageCommands } from './messages.ts';
import { oversightCommands } from './oversight.ts';
import { receiptCommands } from './receipts.ts';

const requestId = randomUUID();
const phone = '+254711000000';
const commands = [
  ...teamCommands,
  ...channelCommands,
  ...connectorCommands,
  ...accountCommands,
  ...ledgerCommands,
  ...messageCommands,
  ...receiptCommands,
  ...oversightCommands,
];
let database: Database;
const tarishi = createCommandLine(commands, {
  database: () => database,
  secrets: createSecrets(randomBytes(32)),
});

beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
  await tarishi('team add acme');
  await tarishi('team add other');
  await tarishi('channel add Safaricom --prefix 25471 --connector simulator');
  await tarishi('topup acme --product sms --units 10');
  await database.knex('requests').insert({
    id: requestId,
    team_id: 'acme',
    client_id: 'orders',
    operation: 'sendSms',
    resource_id: 'acme-sms',
    sender: 'ACME',
  });
  await database.knex('messages').insert({
    request_id: requestId,
    team_id: 'acme',
    position: 0,
    product: 'sms',
    channel: 'Safaricom',
    phone,
    content: 'Habari',
    units: 1,
    state: 'Delivered',
    submitted_at: database.knex.raw('service_now()'),
    reached_at: database.knex.raw('service_now()'),
    final_at: database.knex.raw('service_now()'),
  });
});
afterAll(() => database.close());

describe('what happened to a message', () => {
  test('is found by its phone number, with or without the plus, and by its request', async () => {
    const shown = await tarishi(`message show ${phone}`);
    expect(shown).toMatchObject([
      { event: 'Accepted', phone, request: requestId, team: 'acme' },
      { event: 'Submitted' },
      { event: 'Reported', state: 'Delivered' },
    ]);
    expect(await tarishi(`message show ${phone.slice(1)} --team acme`)).toEqual(shown);
    expect(await tarishi(`message show ${requestId}`)).toEqual(shown);
    expect(await tarishi(`message show ${phone} --team other`)).toEqual([]);
  });

  test('is counted in its request', async () => {
    expect(await tarishi(`request show ${requestId}`)).toMatchObject({
      request: requestId,
      team: 'acme',
      messages: 1,
      states: ['Delivered:1'],
    });
    const unknown = randomUUID();
    expect(await tarishi(`request show ${unknown}`)).toBe(`request ${unknown} does not exist`);
  });

  test.each(['product', 'channel', 'service', 'template', 'team', 'hour'])('is counted by %s', async (by) => {
    expect(await tarishi(`stats --by ${by}`)).toMatchObject([
      { [by]: expect.any(String), accepted: 1, delivered: 1, failed: 0, open: 0 },
    ]);
  });
});

describe('receipts', () => {
  const state = async () => (await database.knex('receipts').first()).state;

  test('are listed, and exhausted ones are posted again with the same id', async () => {
    const [message] = await database.knex('messages');
    const id = randomUUID();
    await database.knex('receipts').insert({
      id,
      request_id: requestId,
      message_id: message.id,
      client_id: 'orders',
      team_id: 'acme',
      origin_key: randomUUID(),
      url: 'https://shop.example/receipts',
      body: '{}',
      state: 'Exhausted',
    });
    const listed = { receipt: id, state: 'Exhausted', request: requestId };
    expect(await tarishi(`receipt list acme --request ${requestId}`)).toMatchObject([listed]);
    expect(await tarishi('receipt list other')).toEqual([]);
    expect(await tarishi(`receipt list other --request ${requestId}`)).toBe(
      `request ${requestId} does not exist`,
    );
    const replay = 'receipt replay acme --since 2020-01-01T00:00:00Z';
    expect(await tarishi(replay)).toEqual({ team: 'acme', receipts: 1 });
    expect(await state()).toBe('Waiting');
    expect(await tarishi(replay)).toEqual({ team: 'acme', receipts: 0 });
    await database.knex('receipts').update({ state: 'Exhausted' });
    expect(await tarishi(`receipt resend ${id}`)).toEqual({ receipt: id, state: 'Waiting' });
    expect(await state()).toBe('Waiting');
    const unknown = randomUUID();
    expect(await tarishi(`receipt resend ${unknown}`)).toBe(`receipt ${unknown} does not exist`);
  });
});

describe('the ledger', () => {
  const adjust = (units: number, reference: string) =>
    tarishi([
      'ledger',
      'adjust',
      'acme',
      '--product',
      'sms',
      `--units=${units}`,
      '--reason',
      'Double top-up',
      '--reference',
      reference,
    ]);

  test('a correction has a reason, and counts once for each reference', async () => {
    expect(await adjust(-4, 'c-1')).toMatchObject({ balance: 6, repeated: false });
    expect(await adjust(-4, 'c-1')).toMatchObject({ balance: 6, repeated: true });
    expect(await adjust(-3, 'c-1')).toBe('reference c-1 was used for another entry of this account');
    expect(await tarishi('ledger list acme')).toMatchObject([
      { units: -4, reason: 'Correction', note: 'Double top-up', reference: 'c-1' },
      { units: 10, reason: 'TopUp' },
    ]);
  });

  test('a balance does not go below zero', async () => {
    expect(await adjust(-7, 'c-2')).toBe('the account has 6 unit(s): it cannot go below zero');
    expect(await adjust(0, 'c-3')).toMatch(/^--units must be a whole number .* and not 0$/);
  });

  test('a top-up with a reference adds units once', async () => {
    const line = 'topup acme --product sms --units 5 --reference invoice-7';
    expect(await tarishi(line)).toMatchObject({ balance: 11 });
    expect(await tarishi(line)).toMatchObject({ balance: 11 });
  });
});

test('the audit log names who changed what', async () => {
  expect(await tarishi('audit --noun account --limit 1')).toEqual([
    {
      at: expect.any(String),
      actor: 'tester (command line)',
      action: 'top up',
      noun: 'account',
      id: 'acme/sms',
      team: 'acme',
      changes: ['balance=11', 'note=null', 'reason=TopUp', 'reference=invoice-7', 'units=5'],
    },
  ]);
});

describe('doctor', () => {
  const faults = async () => {
    const answer = await tarishi('doctor');
    return typeof answer === 'string' ? answer.split('\n') : [];
  };

  test('finds nothing in a healthy deployment', async () => {
    expect(await tarishi('doctor')).toEqual(
      ['migrations', 'clock', 'ledger', 'jobs', 'connectors', 'quarantine', 'disk'].map((check) => ({
        check,
        result: 'ok',
      })),
    );
  });

  test('names an account whose balance was changed by hand', async () => {
    await database.knex('accounts').update({ balance: 12 });
    expect(await faults()).toEqual([
      'ledger: account acme/sms has a balance of 12, but its ledger entries sum up to 11',
    ]);
    await database.knex('accounts').update({ balance: 11 });
  });

  test('names the entries of which one was changed by hand, even if the balance matches', async () => {
    const { knex } = database;
    await sealLedgers(knex);
    const byHand = async (statement: string) => {
      await knex.raw('alter table ledger_entries disable trigger user');
      await knex.raw(statement);
      await knex.raw('alter table ledger_entries enable trigger user');
    };
    await byHand(`update ledger_entries set reference = coalesce(reference, '') || 'x'`);
    expect(await faults()).toEqual([
      'ledger: entries 1 to 3 of account acme/sms were changed by hand: they do not match their seal',
    ]);
    await byHand(`update ledger_entries set reference = nullif(left(reference, -1), '')`);
    expect(await faults()).toEqual([]);
  });

  test('names jobs that no worker finishes', async () => {
    const job = { queue: 'deliver', data: '{}' };
    const past = database.knex.raw(`service_now() - interval '10 minutes'`);
    await database.knex('jobs').insert([
      { ...job, due_at: past, claimed: true },
      { ...job, due_at: past, expires_at: past },
    ]);
    expect(await faults()).toEqual([
      'jobs: 1 job(s) were claimed by a worker that no longer renews its lease',
      'jobs: 1 job(s) are past their expiry and still wait: no worker runs',
      expect.stringMatching(/^jobs: the oldest job has been due for 60\d s/),
    ]);
    await database.knex('jobs').delete();
  });

  test('names connectors in use that are paused or lack a secret', async () => {
    await tarishi('connector add airtime --kind bundles --set baseUrl=https://provider.example');
    await tarishi('channel set Safaricom --bundle-connector airtime');
    await tarishi('connector pause simulator --reason maintenance');
    expect(await faults()).toEqual([
      'connectors: airtime needs the secret token, which is not set',
      'connectors: simulator is paused: maintenance',
    ]);
  });
});
