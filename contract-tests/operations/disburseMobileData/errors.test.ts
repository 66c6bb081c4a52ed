/** disburseMobileData: every rejection of the contract, by status and sentence, in the contract's order of checks. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { addCampaignOfInactiveService, addTeam, type Team } from '../../support/management/team.ts';
import {
  bundleToEach,
  bundleToMany,
  type DataCaller,
  defaultService,
  selfService,
  sharedData,
} from '../../support/requests/disbursement.ts';
import { tokenFor } from '../../support/service/api.ts';

let data: DataCaller;
/** Has no units. */
let other: Team;

beforeAll(async () => {
  data = await sharedData();
  other = await addTeam(data.service);
});

const phone = '0711000000';
const one = { phone, denomination: '1GB' };
const withMessage = { ...one, message: 'Enjoy' };
const correlator = 'receiptRequest.correlator must have 1 to 100 characters.';
const callbackUrl =
  'receiptRequest.callbackUrl must be an absolute http or https URL of at most 2048 characters without user information.';
const callbackAddress = 'receiptRequest.callbackUrl must not name a private or reserved IP address.';
const denominations =
  '10MB, 20MB, 25MB, 30MB, 50MB, 100MB, 150MB, 200MB, 250MB, 500MB, 750MB, 1GB, 2GB, 3GB, 5GB, 10GB';

async function expectRefusal(body: unknown, desc: string, campaignId = data.demo.campaigns.open) {
  const answer = await data.disburse(body, { campaignId });
  expect([answer.status, answer.body]).toEqual([400, { desc }]);
}

describe('400 Invalid phone numbers: …', () => {
  test('every offending input as written, in order, once each', async () => {
    await expectRefusal(
      bundleToMany(['bad', phone, '+999 000', '', 'bad', '12345']),
      'Invalid phone numbers: bad, +999 000, "", 12345',
    );
  });

  test('before those without a channel', async () => {
    await expectRefusal(bundleToMany(['0744123456', '12345']), 'Invalid phone numbers: 12345');
  });
});

describe('400 No channel for phone numbers: …', () => {
  test('every number without a channel as written, in order, once each', async () => {
    const written = ['0744 123456', phone, '+255712345678', '0744 123456'];
    await expectRefusal(
      bundleToEach(written.map((to) => ({ ...one, phone: to }))),
      'No channel for phone numbers: 0744 123456, +255712345678',
    );
  });
});

describe('400 Correlator or callback URL', () => {
  test.each<[string, object, string]>([
    ['an empty correlator', { correlator: '', callbackUrl: 'https://a.example' }, correlator],
    ['101 characters', { correlator: 'c'.repeat(101), callbackUrl: 'https://a.example' }, correlator],
    ['another scheme', { correlator: 'c', callbackUrl: 'ftp://a.example' }, callbackUrl],
    ['a private address', { correlator: 'c', callbackUrl: 'http://10.0.0.1/' }, callbackAddress],
    ['user information', { correlator: 'c', callbackUrl: 'https://a:b@a.example' }, callbackUrl],
  ])('%s', async (_rule, receiptRequest, desc) => {
    await expectRefusal(bundleToMany([phone], '1GB', { receiptRequest }), desc);
  });
});

describe('400 of the campaign', () => {
  test('Campaign <id> is not active. Current status: Archived', async () => {
    const { archived } = data.demo.campaigns;
    await expectRefusal(
      bundleToMany([phone]),
      `Campaign ${archived} is not active. Current status: Archived`,
      archived,
    );
  });

  test('Campaign <id> expired at <time>.', async () => {
    const { expired } = data.demo.campaigns;
    await expectRefusal(
      bundleToMany([phone]),
      `Campaign ${expired} expired at 2020-01-01T00:00:00.000Z.`,
      expired,
    );
  });

  test('Campaign <id> does not allow denominations: … — all of them, once each', async () => {
    const { open } = data.demo.campaigns;
    await expectRefusal(bundleToMany([phone], '2GB'), `Campaign ${open} does not allow denominations: 2GB`);
    const asked = ['5GB', '1GB', '10GB', '5GB'].map((denomination) => ({ phone, denomination }));
    await expectRefusal(bundleToEach(asked), `Campaign ${open} does not allow denominations: 5GB, 10GB`);
  });

  describe('with an inactive service', () => {
    const campaignId = 'inactive-service';

    beforeAll(() => addCampaignOfInactiveService(data.service.operate, campaignId, 'inactive-sms'));

    test("Service <id> is not active. Current status: Inactive — the campaign's own", async () => {
      const sentence = 'Service inactive-sms is not active. Current status: Inactive';
      await expectRefusal(bundleToEach([withMessage], { messaging: defaultService }), sentence, campaignId);
      await expectRefusal(bundleToEach([withMessage], { messaging: selfService('inactive-sms') }), sentence);
    });

    test('200 without an SMS, which would need the service', async () => {
      expect((await data.disburse(bundleToMany([phone]), { campaignId })).status).toBe(200);
    });
  });
});

describe('400 Insufficient units for <n> unit(s) requested.', () => {
  test('bundles of a denomination that the team does not have', async () => {
    const answer = await data.disburse(bundleToMany([phone, '0711000001']), {
      token: await tokenFor(data.demo.baseUrl, other),
      campaignId: other.campaignId,
    });
    expect([answer.status, answer.body]).toEqual([
      400,
      { desc: 'Insufficient units for 2 unit(s) requested.' },
    ]);
  });
});

describe('401', () => {
  test('A bearer token is required.', async () => {
    const answer = await data.disburse(bundleToMany([phone]), { token: undefined });
    expect([answer.status, answer.body]).toEqual([401, { desc: 'A bearer token is required.' }]);
  });

  test('The bearer token is invalid or has expired.', async () => {
    const answer = await data.disburse(bundleToMany([phone]), { token: 'nonsense' });
    expect([answer.status, answer.body]).toEqual([
      401,
      { desc: 'The bearer token is invalid or has expired.' },
    ]);
  });
});

describe('403 Permission denied: the scope … is required.', () => {
  test('reward.mobile-data.disburse', async () => {
    const token = await tokenFor(data.demo.baseUrl, data.demo, 'message.sms.send.oneway');
    const answer = await data.disburse(bundleToMany([phone]), { token });
    expect([answer.status, answer.body]).toEqual([
      403,
      { desc: 'Permission denied: the scope reward.mobile-data.disburse is required.' },
    ]);
  });

  test.each<[string, object]>([
    ['SendToMany', bundleToMany([phone], '1GB', { messaging: { ...defaultService, message: 'Enjoy' } })],
    ['SendToEach', bundleToEach([withMessage], { messaging: defaultService })],
  ])('message.sms.send.oneway, for an SMS with the bundle: %s', async (_mode, body) => {
    const token = await tokenFor(data.demo.baseUrl, data.demo, 'reward.mobile-data.disburse');
    const answer = await data.disburse(body, { token });
    expect([answer.status, answer.body]).toEqual([
      403,
      { desc: 'Permission denied: the scope message.sms.send.oneway is required.' },
    ]);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope"');
  });
});

describe('404', () => {
  test("Campaign <id> not found. — another team's campaign reads as unknown, byte for byte", async () => {
    const { campaignId } = other;
    const nobodys = 'x'.repeat(campaignId.length);
    const theirs = await data.disburse(bundleToMany([phone]), { campaignId });
    const unknown = await data.disburse(bundleToMany([phone]), { campaignId: nobodys });
    expect([theirs.status, theirs.body]).toEqual([404, { desc: `Campaign ${campaignId} not found.` }]);
    expect(theirs.text).toBe(unknown.text.replace(nobodys, campaignId));
  });

  test("Service <id> not found. — also another team's", async () => {
    for (const serviceId of ['no-such', other.smsServiceId]) {
      const answer = await data.disburse(bundleToEach([withMessage], { messaging: selfService(serviceId) }));
      expect([answer.status, answer.body]).toEqual([404, { desc: `Service ${serviceId} not found.` }]);
    }
  });

  test.each([
    'a%2Fb',
    'demo-open/',
    'bad!id',
    'x'.repeat(65),
  ])('Resource not found. — %s is not a valid id', async (campaignId) => {
    const answer = await data.disburse(bundleToMany([phone]), { campaignId });
    expect([answer.status, answer.body]).toEqual([404, { desc: 'Resource not found.' }]);
  });
});

test('405, with Allow', async () => {
  const answer = await data.disburse(undefined, { method: 'GET' });
  expect([answer.status, answer.body]).toEqual([405, { desc: 'Method GET is not allowed here.' }]);
  expect(answer.headers.get('allow')).toBe('POST');
});

describe('order of checks: of two faults the earlier one decides the response', () => {
  const noCampaign = { campaignId: 'no-such' };

  test.each<[string, unknown, string]>([
    ['shape before empty', bundleToMany([], '4GB'), `/denomination must be one of ${denominations}`],
    [
      'too many before phones',
      bundleToMany(Array(101).fill('bad')),
      'Maximum number of recipients exceeded.',
    ],
    [
      'lengths before phones',
      bundleToMany(['bad'], '1GB', { messaging: { ...defaultService, message: '' } }),
      'No valid messages found: /messaging/message must not be empty',
    ],
    [
      'phones before receiptRequest',
      bundleToMany(['bad'], '1GB', { receiptRequest: { correlator: '', callbackUrl: '' } }),
      'Invalid phone numbers: bad',
    ],
    [
      'receiptRequest before the campaign',
      bundleToMany([phone], '1GB', { receiptRequest: { correlator: '', callbackUrl: '' } }),
      correlator,
    ],
  ])('%s', async (_rule, body, desc) => {
    const answer = await data.disburse(body, noCampaign);
    expect([answer.status, answer.body]).toEqual([400, { desc }]);
  });

  test('the campaign before the service, its denominations before the service', async () => {
    const messaging = selfService('no-such');
    const unknown = await data.disburse(bundleToEach([withMessage], { messaging }), noCampaign);
    expect(unknown.body).toEqual({ desc: 'Campaign no-such not found.' });
    const { open } = data.demo.campaigns;
    await expectRefusal(
      bundleToEach([{ ...withMessage, denomination: '5GB' }], { messaging }),
      `Campaign ${open} does not allow denominations: 5GB`,
    );
  });

  test('the service before the balance', async () => {
    const answer = await data.disburse(bundleToEach([withMessage], { messaging: selfService('no-such') }), {
      token: await tokenFor(data.demo.baseUrl, other),
      campaignId: other.campaignId,
    });
    expect(answer.body).toEqual({ desc: 'Service no-such not found.' });
  });
});
