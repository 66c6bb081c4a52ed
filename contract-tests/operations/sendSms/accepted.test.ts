/** sendSms: what is accepted, and what it costs. */
import { beforeAll, expect, test } from '@jest/globals';
import { type SmsCaller, sharedSms, toEach, toMany } from '../../support/requests/sms.ts';

let sms: SmsCaller;

beforeAll(async () => {
  sms = await sharedSms();
});

const counts = (Safaricom: number, Airtel: number) => ({ Safaricom, Airtel });

test('200 SmsResponse: units and addresses by channel', async () => {
  const answer = await sms.send(toMany(['+254711000000', '0733000000', '254722000000'], 'x'.repeat(161)));
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      result: {
        type: 'SmsResponse',
        requestId: expect.stringMatching(
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        ),
        units: counts(4, 2),
        addresses: counts(2, 1),
      },
    },
  ]);
});

test('SendToEach: `text` is an alias of `message`; an entry may have both if they are equal', async () => {
  const entries = [{ text: 'one' }, { message: 'two' }, { message: 'three', text: 'three' }];
  const answer = await sms.send(toEach(entries.map((entry) => ({ phone: '0711000000', ...entry }))));
  expect(answer.body.result).toMatchObject({ units: counts(3, 0), addresses: counts(3, 0) });
});

test('free-form bodies tolerate unknown properties, and say that they have no effect', async () => {
  const ignoredBy = async (body: object) => {
    const { status, headers } = await sms.send(body);
    return [status, headers.get('ignored-properties')];
  };
  const entry = { phone: '0711000000', message: 'x', 'a note': 'y' };
  expect(await ignoredBy(toEach([entry, entry]))).toEqual([200, '/messages/0/a%20note']);
  expect(await ignoredBy(toMany(['0711000000']))).toEqual([200, null]);
});
