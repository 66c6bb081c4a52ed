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

  test('TemplateSendToEach: named and positional templates, a default fills an omitted parameter', async () => {
    const { templates, templateParams } = sms.demo;
    for (const kind of ['named', 'positional'] as const) {
      const entry = { phone: '0711000000', params: templateParams[kind] };
      const answer = await sms.send(templateToEach(templates[kind], [entry, entry]));
      expect(answer.body.result).toMatchObject({ units: counts(2, 0), addresses: counts(2, 0) });
    }
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
});
