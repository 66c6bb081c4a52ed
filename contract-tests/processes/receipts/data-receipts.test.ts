/** Bundles after their acceptance: signed receipts, repeats, the SMS that follow, refunds. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { schemaNamed, undocumented } from '../../../spec/document.ts';
import { addCampaignOfInactiveService } from '../../support/management/team.ts';
import {
  bundleToEach,
  bundleToMany,
  type DataService,
  defaultService,
  selfService,
  startData,
} from '../../support/requests/disbursement.ts';
import { type Callback, type Receiver, startReceiver } from '../../support/service/receiver.ts';
import { rowsOf, unbalancedAccounts, withStoredData } from '../../support/service/stored-data.ts';

const outcomes: [suffix: string, deliveryStatus: string][] = [
  ['0001', 'Failed'],
  ['0002', 'Failed'],
  ['0003', 'Failed'],
  ['0004', 'Failed'],
  ['0005', 'InvalidMsisdn'],
  ['0006', 'InvalidDenomination'],
  ['0007', 'Uncertain'],
  ['0010', 'Delivered'],
  ['4321', 'Delivered'],
];
const delivered = outcomes.filter(([, status]) => status === 'Delivered').map(([suffix]) => suffix);
const correlator = 'reward "17" – Ürün 😀';

/** A campaign. */
const inactive = 'inactive-service';

let data: DataService;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  data = await startData();
  await addCampaignOfInactiveService(data.service.operate, inactive, 'inactive-sms');
});
afterAll(async () => {
  await data?.service.dispose();
  receiver.close();
});

type ReceiptType = 'DataDeliveryReceipt' | 'SmsDeliveryReceipt';

/** Disburses with receipts to a path; returns the request's id. */
async function disburse(body: object, path: string, campaignId?: string): Promise<string> {
  const receiptRequest = { correlator, callbackUrl: receiver.url(path) };
  const answer = await data.disburse(
    { ...body, receiptRequest },
    campaignId === undefined ? {} : { campaignId },
  );
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('requestId')]);
  return answer.body.requestId;
}

const ofType = (callbacks: readonly Callback[], type: ReceiptType) =>
  callbacks.filter(({ body }) => body.type === type);
const statuses = (callbacks: readonly Callback[]) =>
  callbacks.map(({ body }) => [body.phone, body.deliveryStatus]).sort();

describe('SendToEach with a message each', () => {
  let requestId = '';
  let callbacks: Callback[] = [];

  beforeAll(async () => {
    const disbursements = [...outcomes.map(([suffix]) => suffix), '0008'].map((suffix) => ({
      phone: `0711 00-${suffix}`,
      denomination: '1GB',
      message: 'a'.repeat(161),
    }));
    requestId = await disburse(bundleToEach(disbursements, { messaging: defaultService }), '/each');
    callbacks = await receiver.received('/each', outcomes.length + delivered.length);
  }, 120_000);

  test.each(outcomes)('a bundle to …%s ends as %s', (suffix, deliveryStatus) => {
    const found = ofType(callbacks, 'DataDeliveryReceipt').filter(({ body }) => body.phone.endsWith(suffix));
    expect(found.map(({ body }) => body)).toEqual([
      expect.objectContaining({
        type: 'DataDeliveryReceipt',
        requestId,
        correlator,
        phone: `+25471100${suffix}`,
        denomination: '1GB',
        deliveryStatus,
      }),
    ]);
  });

  test('an SMS goes to those whose bundle was delivered, and to nobody else; its receipt is one of SMS', () => {
    expect(statuses(ofType(callbacks, 'SmsDeliveryReceipt'))).toEqual(
      delivered.map((suffix) => [`+25471100${suffix}`, 'Delivered']),
    );
    for (const { body } of ofType(callbacks, 'SmsDeliveryReceipt'))
      expect(body).toMatchObject({ requestId, correlator });
  });

  test('the SMS comes after its bundle', () => {
    for (const suffix of delivered) {
      const [bundle, sms] = (['DataDeliveryReceipt', 'SmsDeliveryReceipt'] as const).map(
        (type) => ofType(callbacks, type).find(({ body }) => body.phone.endsWith(suffix))?.body.timestamp,
      );
      expect(Date.parse(sms)).toBeGreaterThanOrEqual(Date.parse(bundle));
    }
  });

  test('each receipt is what the document says, signed, with an id of its own', () => {
    const webhook = new Webhook(data.demo.signingSecret);
    for (const { body, text, headers } of callbacks) {
      expect(undocumented(schemaNamed(body.type), body)).toBeUndefined();
      expect(webhook.verify(text, headers as Record<string, string>)).toStrictEqual(body);
    }
    expect(new Set(callbacks.map(({ headers }) => headers['webhook-id'])).size).toBe(callbacks.length);
  });
});

describe('a repeat within the time of the campaign is accepted, and its receipt says Duplicated', () => {
  test.each(['oneTime', 'hourly', 'daily', 'weekly', 'monthly'] as const)('%s', async (kind) => {
    const campaignId = data.demo.campaigns[kind];
    const path = `/${kind}`;
    await disburse(bundleToMany(['+254711004400']), path, campaignId);
    await receiver.received(path, 1);
    // Another size is a repeat too; another phone is none.
    await disburse(bundleToMany(['0711004400', '0711004401'], '1GB'), path, campaignId);
    const callbacks = await receiver.received(path, 3);
    expect(callbacks.map(({ body }) => [body.phone, body.denomination, body.deliveryStatus]).sort()).toEqual([
      ['+254711004400', '100MB', 'Delivered'],
      ['+254711004400', '1GB', 'Duplicated'],
      ['+254711004401', '1GB', 'Delivered'],
    ]);
  });

  test('inside one request; the SMS of the repeat is not sent', async () => {
    const twice = ['one', 'two'].map((message) => ({ phone: '0711004402', denomination: '1GB', message }));
    const body = bundleToEach(twice, { messaging: defaultService });
    await disburse(body, '/twice', data.demo.campaigns.oneTime);
    const callbacks = await receiver.received('/twice', 3);
    expect(statuses(ofType(callbacks, 'DataDeliveryReceipt')).map(([, status]) => status)).toEqual([
      'Delivered',
      'Duplicated',
    ]);
    expect(ofType(callbacks, 'SmsDeliveryReceipt')).toHaveLength(1);
  });

  test('a bundle that failed does not count: the next one is given', async () => {
    const twice = ['0711000001', '0711000001'].map((phone) => ({ phone, denomination: '1GB' }));
    await disburse(bundleToEach(twice), '/failing', data.demo.campaigns.oneTime);
    const callbacks = await receiver.received('/failing', 2);
    expect(callbacks.map(({ body }) => body.deliveryStatus)).toEqual(['Failed', 'Failed']);
  });

  test('never, if the campaign is unlimited', async () => {
    const twice = ['0711004403', '0711004403'].map((phone) => ({ phone, denomination: '1GB' }));
    await disburse(bundleToEach(twice), '/unlimited');
    const callbacks = await receiver.received('/unlimited', 2);
    expect(callbacks.map(({ body }) => body.deliveryStatus)).toEqual(['Delivered', 'Delivered']);
  });
});

test("the SMS is sent by the service that the client chose, even if the campaign's is inactive", async () => {
  const phone = '0711004404';
  const body = bundleToEach([{ phone, denomination: '1GB', message: 'Enjoy' }], {
    messaging: selfService(data.demo.smsServiceId),
  });
  await disburse(body, '/chosen', inactive);
  const callbacks = await receiver.received('/chosen', 2);
  expect(callbacks.map(({ body }) => body.deliveryStatus)).toEqual(['Delivered', 'Delivered']);
});

describe('the database of the stopped service', () => {
  interface Stored {
    product: string;
    state: string;
    messages: number;
    spent: number;
  }
  let stored: Stored[] = [];
  let unbalanced: unknown[] = [];
  let provisions: { times: number }[] = [];
  let services: { campaign: string; service: string | null }[] = [];

  beforeAll(async () => {
    const { weekly } = data.demo.campaigns;
    await data.service.stop();
    await withStoredData(data.service, async (knex) => {
      stored = await rowsOf(
        knex,
        `select product, state, count(*)::integer as messages, sum(m.units - coalesce(e.units, 0))::integer as spent
         from messages m left join ledger_entries e on e.message_id = m.id and e.reason = 'Refund'
         group by product, state order by product, state`,
      );
      services = await rowsOf(
        knex,
        `select distinct resource_id as campaign, sms_service_id as service from requests
         where resource_id in ('${inactive}', '${weekly}') order by 1`,
      );
      unbalanced = await unbalancedAccounts(knex);
      provisions = await rowsOf(knex, 'select times from simulated_bundles where times <> 1');
    });
  });

  test('units of delivered bundles are spent; all others are refunded, also those of SMS that were never sent', () => {
    // From the tests above: 5 campaigns with 2 + 1, 1 + 1 and 2 and 2 bundles and 1; SMS of two units and of one.
    expect(stored).toEqual([
      { product: 'data', state: 'Delivered', messages: 16, spent: 16 },
      { product: 'data', state: 'Duplicated', messages: 6, spent: 0 },
      { product: 'data', state: 'Failed', messages: 6, spent: 0 },
      { product: 'data', state: 'InvalidDenomination', messages: 1, spent: 0 },
      { product: 'data', state: 'InvalidMsisdn', messages: 1, spent: 0 },
      { product: 'data', state: 'Submitted', messages: 1, spent: 1 },
      { product: 'data', state: 'Uncertain', messages: 1, spent: 1 },
      { product: 'sms', state: 'Cancelled', messages: 8, spent: 0 },
      { product: 'sms', state: 'Delivered', messages: 4, spent: 6 },
      { product: 'sms', state: 'Held', messages: 1, spent: 2 },
    ]);
    expect(unbalanced).toEqual([]);
  });

  test('which service sent the SMS: the one that the client chose; none if there were no SMS', () => {
    const { weekly } = data.demo.campaigns;
    expect(services).toEqual([
      { campaign: weekly, service: null },
      { campaign: inactive, service: data.demo.smsServiceId },
    ]);
  });

  test('nothing was given twice', () => {
    expect(provisions).toEqual([]);
  });
});
