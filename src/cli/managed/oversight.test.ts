/** What operators look up: requests, messages, the ledger and statistics. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { recordFirstKey } from '../../process/secret-key.ts';
import { useCommandLine } from '../line/testing.ts';

const requestId = randomUUID();
const phone = '+254711000000';
const { database, secrets, tarishi } = useCommandLine();

beforeAll(async () => {
  await recordFirstKey(database.knex, secrets);
  await tarishi('team add acme');
  await tarishi('team add other');
  await tarishi('channel add Safaricom --prefix 25471 --connector simulator');
  await tarishi('topup acme --product Sms --units 10 --reference first');
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
    details: { mccMnc: '63902' },
    submitted_at: database.knex.raw('service_now()'),
    reached_at: database.knex.raw('service_now()'),
    final_at: database.knex.raw('service_now()'),
  });
});

describe('what happened to a message', () => {
  test('is found by its phone number, with what its network said', async () => {
    const shown = await tarishi(`message show ${phone}`);
    const timeline = [
      { event: 'Accepted' },
      { event: 'Submitted' },
      { event: 'Reported', state: 'Delivered', details: { mccMnc: '63902' } },
    ];
    expect(shown).toMatchObject([{ phone, requestId, teamId: 'acme', timeline }]);
    expect(await tarishi(`message show ${phone} --team acme`)).toEqual(shown);
    expect(await tarishi(`message show ${phone} --team other`)).toEqual([]);
  });

  testEvery([
    ['product', 'Sms'],
    ['channel', 'Safaricom'],
    ['service', 'acme-sms'],
    ['template', undefined],
    ['team', 'acme'],
    ['hour', expect.stringMatching(/:00:00Z$/)],
    ['day', expect.stringMatching(/T00:00:00Z$/)],
  ])('is counted by %s', async (by, key) => {
    expect(await tarishi(`stats --by ${by}`)).toMatchObject([
      { ...(key === undefined ? {} : { key }), accepted: 1, delivered: 1, failed: 0, open: 0 },
    ]);
  });

  test('is counted among those to its channel, of its service, only', async () => {
    const counts = async (only: string) => (await tarishi(`stats --by team ${only}`)) as unknown[];
    expect(await counts('--channel Safaricom --service acme-sms')).toHaveLength(1);
    expect(await counts('--channel Airtel')).toEqual([]);
    expect(await counts('--service other')).toEqual([]);
  });
});

describe('the ledger', () => {
  const correct = (units: number, reference: string) =>
    tarishi(`ledger correct acme --product Sms --units=${units} --note Double --reference ${reference}`);

  test('a correction has a note, and counts once for each reference', async () => {
    expect(await correct(-4, 'c-1')).toMatchObject({ balance: 6, repeated: false });
    expect(await correct(-4, 'c-1')).toMatchObject({ balance: 6, repeated: true });
    expect(await tarishi('ledger list acme')).toMatchObject([
      { units: -4, reason: 'Correction', note: 'Double', reference: 'c-1' },
      { units: 10, reason: 'TopUp' },
    ]);
  });

  test('a top-up with a reference adds units once', async () => {
    const line = 'topup acme --product Sms --units 5 --reference invoice-7';
    expect(await tarishi(line)).toMatchObject({ balance: 11 });
    expect(await tarishi(line)).toMatchObject({ balance: 11 });
  });
});

describe('what phones sent', () => {
  const row = (team: string, service: string, keyword: string | null, at: string) => ({
    id: randomUUID(),
    team_id: team,
    product: 'sms',
    service_id: service,
    connector: 'smsc',
    phone,
    recipient: '22141',
    kind: 'text',
    text: 'Asante',
    keyword,
    received_at: at,
  });
  const none = { received: 0, optOuts: 0, optIns: 0, helps: 0 };
  const period = '--from 2026-11-01T00:00:00Z --to 2026-11-03T00:00:00Z';
  beforeAll(() =>
    database
      .knex('inbound_messages')
      .insert([
        row('acme', 'acme-sms', null, '2026-11-01T10:30:00Z'),
        row('acme', 'acme-sms', 'STOP', '2026-11-01T10:59:59Z'),
        row('acme', 'acme-sms', 'START', '2026-11-02T23:59:59Z'),
        row('acme', 'acme-sms', 'HELP', '2026-11-03T00:00:00Z'),
        row('other', 'other-sms', 'STOP', '2026-11-01T10:00:00Z'),
      ]),
  );

  testEvery([
    [
      'service',
      [
        { ...none, key: 'acme-sms', received: 3, optOuts: 1, optIns: 1 },
        { ...none, key: 'other-sms', received: 1, optOuts: 1 },
      ],
    ],
    ['team --team acme', [{ ...none, key: 'acme', received: 3, optOuts: 1, optIns: 1 }]],
    ['product --team other', [{ ...none, key: 'Sms', received: 1, optOuts: 1 }]],
    [
      'hour --team acme',
      [
        { ...none, key: '2026-11-01T10:00:00Z', received: 2, optOuts: 1 },
        { ...none, key: '2026-11-02T23:00:00Z', received: 1, optIns: 1 },
      ],
    ],
  ])('is counted by %s', async (by, items) => {
    expect(await tarishi(`inbound stats ${period} --by ${by}`)).toEqual(items);
  });

  test('of more than 31 days is not counted', async () => {
    expect(await tarishi('inbound stats --from 2026-10-01T00:00:00Z --to 2026-11-02T00:00:00Z')).toBe(
      '--from must be at most 31 days before to',
    );
  });
});
