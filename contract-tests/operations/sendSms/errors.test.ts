/** sendSms: every rejection of the contract, by status and sentence, in the contract's order of checks. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { forEvery } from '../../../src/platform/for-every-testing.ts';
import { edit } from '../../support/management/caller.ts';
import { addTeam, type Team } from '../../support/management/team.ts';
import {
  phones,
  type SmsCaller,
  sharedSms,
  templateToMany,
  toEach,
  toMany,
} from '../../support/requests/sms.ts';
import { call, tokenFor } from '../../support/service/api.ts';

let sms: SmsCaller;
/** Has no units. */
let other: Team;

beforeAll(async () => {
  sms = await sharedSms();
  other = await addTeam(sms.service);
});

const phone = '0711000000';
const correlator = 'receiptRequest.correlator must have 1 to 100 characters.';
const callbackUrl =
  'receiptRequest.callbackUrl must be an absolute http or https URL of at most 2048 characters without user information.';
const callbackAddress = 'receiptRequest.callbackUrl must not name a private or reserved IP address.';

const entries = (written: string[]) => written.map((to) => ({ phone: to, message: 'x' }));

async function expectRefusal(body: unknown, desc: string) {
  const answer = await sms.send(body);
  expect([answer.status, answer.body]).toEqual([400, { desc }]);
}

describe('400 Invalid phone numbers: …', () => {
  test('each', () =>
    forEvery(
      [
        ['letters', '+25471100000x'],
        ['too short', '071100000'],
        ['too long', '07110000000'],
        ['no leading zero', '711000000'],
        ['an extension', '0711000000 ext 5'],
        ['digits of another script', '٠٧١١٠٠٠٠٠٠'],
        ['two pluses', '++254711000000'],
      ],
      '%s',
      async (_rule, written) => {
        await expectRefusal(toMany([phone, written]), `Invalid phone numbers: ${written}`);
      },
    ));

  test('every offending input as written, in order, once each', async () => {
    const written = ['bad', phone, '+999 000', 'bad', '12345'];
    await expectRefusal(toEach(entries(written)), 'Invalid phone numbers: bad, +999 000, 12345');
  });

  test('an empty one is quoted', async () => {
    await expectRefusal(toMany(['', phone, 'bad']), 'Invalid phone numbers: "", bad');
  });

  test('before numbers without a channel, which are not named with them', async () => {
    await expectRefusal(toMany(['0744123456', 'bad']), 'Invalid phone numbers: bad');
  });
});

describe('400 No channel for phone numbers: …', () => {
  test('each', () =>
    forEvery(
      [
        ['a country without a channel', '+255712345678'],
        ['a prefix without a channel', '0744123456'],
        ['a landline', '0202123456'],
      ],
      '%s',
      async (_rule, written) => {
        await expectRefusal(toMany([phone, written]), `No channel for phone numbers: ${written}`);
      },
    ));

  test('every number without a channel as written, in order, once each', async () => {
    const written = ['0744 123456', phone, '+255712345678', '0744 123456'];
    await expectRefusal(toEach(entries(written)), 'No channel for phone numbers: 0744 123456, +255712345678');
  });
});

describe('400 Correlator or callback URL', () => {
  test('each', () =>
    forEvery<[string, object, string]>(
      [
        ['an empty correlator', { correlator: '' }, correlator],
        ['101 characters', { correlator: 'c'.repeat(101) }, correlator],
        ['a relative URL', { callbackUrl: '/receipts' }, callbackUrl],
        ['another scheme', { callbackUrl: 'ftp://client.example/' }, callbackUrl],
        ['user information', { callbackUrl: 'https://a:b@client.example/' }, callbackUrl],
        ['too long', { callbackUrl: `https://client.example/${'x'.repeat(2048)}` }, callbackUrl],
        [
          'a host name too long as Punycode',
          { callbackUrl: `https://${'%E3%8D%BF'.repeat(226)}/` },
          callbackUrl,
        ],
        ['a private address', { callbackUrl: 'http://10.0.0.1/' }, callbackAddress],
        ['a private address as one number', { callbackUrl: 'http://167772161/' }, callbackAddress],
        ['no URL at all', { callbackUrl: 'not a url' }, callbackUrl],
        ['empty', { callbackUrl: '' }, callbackUrl],
      ],
      '%s',
      async (_rule, receiptRequest, desc) => {
        await expectRefusal(toMany([phone], 'x', { receiptRequest }), desc);
      },
    ));
});

describe('400 of the template', () => {
  test('Message template <id> not found.', async () => {
    for (const id of ['no-such', 't'.repeat(65), 't'.repeat(255)])
      await expectRefusal(templateToMany(id, [phone], []), `Message template ${id} not found.`);
  });

  test("another team's template reads as unknown, byte for byte", async () => {
    const { id } = other.smsTemplate;
    const nobodys = 'x'.repeat(id.length);
    const theirs = await sms.send(templateToMany(id, [phone], []));
    const unknown = await sms.send(templateToMany(nobodys, [phone], []));
    expect(theirs.text).toBe(unknown.text.replace(nobodys, id));
    expect(theirs.body).toEqual({ desc: `Message template ${id} not found.` });
  });

  test('… is not sendable. Current status: <status> and approval status: <approvalStatus>', async () => {
    const { pending } = sms.demo.templates;
    const archived = 'old-notice';
    await sms.service.operate('POST /sms-templates', {
      ...{ id: archived, teamId: 'demo' },
      ...{ content: 'We moved to {{place}}.', category: 'UTILITY' },
    });
    await edit(sms.service.operate, `/sms-templates/${archived}`, { status: 'Archived' });
    const sentence = (id: string, status: string, approval: string) =>
      `Message template ${id} is not sendable. Current status: ${status} and approval status: ${approval}`;
    await expectRefusal(templateToMany(pending, [phone], []), sentence(pending, 'Active', 'PENDING'));
    await expectRefusal(templateToMany(archived, [phone], []), sentence(archived, 'Archived', 'APPROVED'));
  });

  test('Template category <c> does not match managed service descriptor category <c>', async () => {
    const { operate } = sms.service;
    await operate('POST /managed-senders', { key: 'offers', category: 'MARKETING', sender: 'OFFERS' });
    await operate('POST /sms-templates', {
      ...{ id: 'mixed-up', teamId: 'demo', content: 'Buy one, get one: {{offer}}' },
      ...{ category: 'MARKETING', managedServiceKey: 'offers' },
    });
    await edit(operate, '/sms-templates/mixed-up', { decision: 'APPROVED' }, 'review');
    await edit(operate, '/managed-senders/offers', { category: 'AUTHENTICATION' });
    await expectRefusal(
      templateToMany('mixed-up', [phone], []),
      'Template category MARKETING does not match managed service descriptor category AUTHENTICATION',
    );
  });
});

describe('400 Insufficient units for <n> unit(s) requested.', () => {
  test('a team without units', async () => {
    const token = await tokenFor(sms.demo.baseUrl, other);
    const answer = await sms.send(toMany([phone, '0733000000'], 'a'.repeat(161)), {
      token,
      serviceId: other.smsServiceId,
    });
    expect([answer.status, answer.body]).toEqual([
      400,
      { desc: 'Insufficient units for 4 unit(s) requested.' },
    ]);
  });
});

describe('401', () => {
  test('A bearer token is required.', async () => {
    const answer = await sms.send(toMany([phone]), { token: undefined });
    expect([answer.status, answer.body]).toEqual([401, { desc: 'A bearer token is required.' }]);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('The bearer token is invalid or has expired.', async () => {
    for (const token of ['nonsense', `${sms.token.slice(0, -4)}AAAA`]) {
      const answer = await sms.send(toMany([phone]), { token });
      expect([answer.status, answer.body]).toEqual([
        401,
        { desc: 'The bearer token is invalid or has expired.' },
      ]);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    }
  });
});

describe('404', () => {
  test("Service <id> not found. — another team's service reads as unknown, byte for byte", async () => {
    const { smsServiceId: id } = other;
    const nobodys = 'x'.repeat(id.length);
    const theirs = await sms.send(toMany([phone]), { serviceId: id });
    const unknown = await sms.send(toMany([phone]), { serviceId: nobodys });
    expect([theirs.status, theirs.body]).toEqual([404, { desc: `Service ${id} not found.` }]);
    expect(theirs.text).toBe(unknown.text.replace(nobodys, id));
  });

  test('Resource not found. is not a valid id', () =>
    forEvery(
      ['a%2Fb', 'demo-sms/', 'bad!id', '%zz', 'x'.repeat(65), '%64emo-sms', 'é'],
      'Resource not found. — %s is not a valid id',
      async (serviceId) => {
        const answer = await call(sms.demo.baseUrl, `/message/${serviceId}`, { body: toMany([phone]) });
        expect([answer.status, answer.body]).toEqual([404, { desc: 'Resource not found.' }]);
      },
    ));
});

describe('405', () => {
  test('other methods, with Allow', () =>
    forEvery(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'], '%s, with Allow', async (method) => {
      const answer = await call(sms.demo.baseUrl, `/message/${sms.demo.smsServiceId}`, { method });
      expect([answer.status, answer.body]).toEqual([405, { desc: `Method ${method} is not allowed here.` }]);
      expect(answer.headers.get('allow')).toBe('POST');
    }));
});

describe('order of checks: of two faults the earlier one decides the response', () => {
  const long = 'a'.repeat(961);
  test('each', () =>
    forEvery<[string, unknown, string]>(
      [
        ['shape before empty', toMany([], 7), '/message must be a string'],
        ['shape before too many', toMany(phones(101), 7), '/message must be a string'],
        [
          'shape of an item before the length of another',
          toEach([
            { phone, message: long },
            { phone: 7, message: 'x' },
          ]),
          '/messages/1/phone must be a string',
        ],
        ['too many before lengths', toMany(phones(101), long), 'Maximum number of recipients exceeded.'],
        [
          'too many before a template id of the wrong length',
          templateToMany('', phones(11), []),
          'Maximum number of recipients exceeded.',
        ],
        ['lengths before phones', toMany(['bad'], long), '/message must have at most 960 characters'],
        [
          'phones before receiptRequest',
          toMany(['bad'], 'x', { receiptRequest: { correlator: '' } }),
          'Invalid phone numbers: bad',
        ],
        [
          'correlator before callbackUrl',
          toMany([phone], 'x', { receiptRequest: { correlator: '', callbackUrl: '' } }),
          correlator,
        ],
        ['phones before the template', templateToMany('no-such', ['bad'], []), 'Invalid phone numbers: bad'],
        [
          'template before parameters',
          templateToMany('no-such', [phone], [{ name: '', value: '' }]),
          'Message template no-such not found.',
        ],
      ],
      '%s',
      async (_rule, body, desc) => {
        await expectRefusal(body, desc);
      },
    ));

  test('token before body, body before service, receiptRequest before service, service before template', async () => {
    const unauthorized = await sms.send('{', { token: undefined });
    expect(unauthorized.status).toBe(401);
    const malformed = await sms.send('{', { serviceId: 'no-such' });
    expect(malformed.body).toEqual({ desc: 'The request body is not valid JSON.' });
    const receipt = await sms.send(toMany([phone], 'x', { receiptRequest: { correlator: '' } }), {
      serviceId: 'no-such',
    });
    expect(receipt.body).toEqual({ desc: correlator });
    const service = await sms.send(templateToMany('no-such', [phone], []), { serviceId: 'no-such' });
    expect(service.body).toEqual({ desc: 'Service no-such not found.' });
  });

  test('lengths before the Idempotency-Key, its form before two texts, these before its use, which is before phones', async () => {
    const malformed = { headers: { 'idempotency-key': 'k'.repeat(256) } };
    const twoTexts = toEach([{ phone: 'bad', message: 'one', text: 'other' }]);
    const tooLong = await sms.send(toMany(['bad'], long), malformed);
    expect(tooLong.body).toEqual({ desc: '/message must have at most 960 characters' });
    const form = 'Idempotency-Key must have 1 to 255 printable ASCII characters.';
    expect((await sms.send(twoTexts, malformed)).body).toEqual({ desc: form });

    const used = { headers: { 'idempotency-key': randomUUID() } };
    expect((await sms.send(toMany([phone]), used)).status).toBe(200);
    const differ = '/messages/0/message and /messages/0/text differ';
    expect((await sms.send(twoTexts, used)).body).toEqual({ desc: differ });
    expect((await sms.send(toMany(['bad']), used)).status).toBe(409);
  });

  test('parameters before balance', async () => {
    const token = await tokenFor(sms.demo.baseUrl, other);
    const answer = await sms.send(templateToMany('no-such', [phone], []), {
      token,
      serviceId: other.smsServiceId,
    });
    expect(answer.body).toEqual({ desc: 'Message template no-such not found.' });
  });
});
