/** sendSms: what is accepted, and what it costs. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  phones,
  type SmsCaller,
  sharedSms,
  templateToEach,
  templateToMany,
  toEach,
  toMany,
} from '../../support/requests/sms.ts';

let sms: SmsCaller;

beforeAll(async () => {
  sms = await sharedSms();
});

const counts = (Safaricom: number, Airtel: number) => ({ Safaricom, Airtel });

describe('200 SmsResponse', () => {
  test('SendToMany: one unit per recipient, by channel', async () => {
    const answer = await sms.send(toMany(['+254711000000', '0733000000', '254722000000']));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      result: {
        type: 'SmsResponse',
        requestId: expect.stringMatching(
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        ),
        units: counts(2, 1),
        addresses: counts(2, 1),
      },
    });
  });

  test('SendToEach: every entry is a message, even for a repeated number', async () => {
    const answer = await sms.send(
      toEach([
        { phone: '+254711000000', message: 'one' },
        { phone: '0711000000', message: 'two' },
        { phone: '0733000000', message: 'x'.repeat(161) },
      ]),
    );
    expect(answer.body.result).toMatchObject({ units: counts(2, 2), addresses: counts(2, 1) });
  });

  test('SendToEach: `text` is an alias of `message`; an entry may have both if they are equal', async () => {
    const entries = [{ text: 'one' }, { message: 'two' }, { message: 'three', text: 'three' }];
    const answer = await sms.send(toEach(entries.map((entry) => ({ phone: '0711000000', ...entry }))));
    expect(answer.body.result).toMatchObject({ units: counts(3, 0), addresses: counts(3, 0) });
  });

  test('SendToMany: a repeated number is one recipient, in whatever format', async () => {
    const answer = await sms.send(toMany(['+254711000000', '0711000000', '254 711-000 (000)']));
    expect(answer.body.result).toMatchObject({ units: counts(1, 0), addresses: counts(1, 0) });
  });

  test('TemplateSendToMany: the same number twice is one recipient', async () => {
    const { templates, templateParams } = sms.demo;
    const answer = await sms.send(
      templateToMany(templates.named, ['0711000000', '+254711000000', '0733000000'], templateParams.named),
    );
    expect(answer.body.result).toMatchObject({ units: counts(1, 1), addresses: counts(1, 1) });
  });

  test('TemplateSendToEach: named and positional templates, a default fills an omitted parameter', async () => {
    const { templates, templateParams } = sms.demo;
    for (const kind of ['named', 'positional'] as const) {
      const entry = { phone: '0711000000', params: templateParams[kind] };
      const answer = await sms.send(templateToEach(templates[kind], [entry, entry]));
      expect(answer.body.result).toMatchObject({ units: counts(2, 0), addresses: counts(2, 0) });
    }
  });

  test.each([
    ['160 characters', 'a'.repeat(160), 1],
    ['161 characters', 'a'.repeat(161), 2],
    ['160 emoji count as 160 code points', '😀'.repeat(160), 1],
    ['161 emoji', '😀'.repeat(161), 2],
    ['960 characters', 'a'.repeat(960), 6],
    ['960 emoji', '😀'.repeat(960), 6],
  ])('units are ceil(length / 160): %s', async (_rule, message, units) => {
    const answer = await sms.send(toMany(['0711000000'], message));
    expect(answer.body.result.units).toEqual(counts(units, 0));
  });

  test.each([
    ['a new mobile range that some metadata rejects', '0109123456', counts(0, 1)],
    ['Safaricom 0757', '0757123456', counts(1, 0)],
    ['Airtel 0752', '0752123456', counts(0, 1)],
    ['Safaricom 011', '+254110123456', counts(1, 0)],
  ])('the longest prefix decides the channel: %s', async (_rule, phone, units) => {
    expect((await sms.send(toMany([phone]))).body.result.units).toEqual(units);
  });

  test('100 free-form and 10 template recipients are accepted', async () => {
    const { templates, templateParams } = sms.demo;
    const each = (count: number) => phones(count).map((phone) => ({ phone, message: 'x' }));
    const entries = phones(10).map((phone) => ({ phone, params: templateParams.positional }));
    const bodies = [
      [toMany(phones(100)), 100],
      [toEach(each(100)), 100],
      [templateToMany(templates.named, phones(10), templateParams.named), 10],
      [templateToEach(templates.positional, entries), 10],
    ] as const;
    for (const [body, recipients] of bodies)
      expect((await sms.send(body)).body.result.addresses).toEqual(counts(recipients, 0));
  });

  test('free-form bodies tolerate unknown properties, and say that they have no effect', async () => {
    const ignoredBy = async (body: object) => {
      const { status, headers } = await sms.send(body);
      return [status, headers.get('ignored-properties')];
    };
    const entry = { phone: '0711000000', message: 'x', 'a note': 'y' };
    expect(await ignoredBy(toMany(['0711000000'], 'x', { campaign: 7, later: {} }))).toEqual([
      200,
      '/campaign, /later',
    ]);
    expect(await ignoredBy(toEach([entry, entry]))).toEqual([200, '/messages/0/a%20note']);
    expect(await ignoredBy(toMany(['0711000000']))).toEqual([200, null]);
  });

  test('receiptRequest needs neither of its fields', async () => {
    expect((await sms.send(toMany(['0711000000'], 'x', { receiptRequest: {} }))).status).toBe(200);
    const receiptRequest = { correlator: 'c'.repeat(100) };
    expect((await sms.send(toMany(['0711000000'], 'x', { receiptRequest }))).status).toBe(200);
  });

  test("the client's X-Request-Id is returned; one that cannot be logged is replaced", async () => {
    const given = await sms.send(toMany(['0711000000']), { headers: { 'x-request-id': 'check_out-81' } });
    expect(given.headers.get('x-request-id')).toBe('check_out-81');
    const replaced = await sms.send(toMany(['0711000000']), { headers: { 'x-request-id': 'a b' } });
    expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});
