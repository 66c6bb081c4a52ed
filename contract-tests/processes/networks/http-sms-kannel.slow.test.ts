/** SMS from the service through Debian's Kannel to a simulated SMSC, and back: reports, and texts of phones. */
import { afterAll, beforeAll, expect } from '@jest/globals';
import { pino } from 'pino';
import { publishedScripts } from '../../../src/connectors/simulators/published-scripts.ts';
import { withPeer } from '../../../src/connectors/smpp/peers/installed-testing.ts';
import { startKannel } from '../../../src/partner/sandbox/smsc/kannel-testing.ts';
import { startSimulatedSmsc } from '../../../src/partner/sandbox/smsc/simulated.ts';
import { freePort } from '../../../src/platform/free-port-testing.ts';
import { addSafaricomConnector } from '../../support/prepared/connectors.ts';
import { phones, type SmsService, startSms, toMany } from '../../support/requests/sms.ts';
import { until } from '../../support/service/pages.ts';

const test = withPeer('kannel', 'bearerbox', ['--version']);

const secrets = { apiKey: 'trial', callbackSecret: 'behind-the-address' };

const ends: (() => unknown)[] = [];
let sms: SmsService;
/** The numbers of the parts that the SMSC got. */
const got: string[] = [];
const get: SmsService['get'] = (path) => sms.get(path);

beforeAll(async () => {
  const smsc = await startSimulatedSmsc(
    { host: '127.0.0.1', port: 0 },
    (phone) => {
      got.push(phone);
      return publishedScripts.sms(phone);
    },
    pino({ level: 'silent' }),
  );
  ends.push(smsc.close);
  const port = await freePort();
  const callbackUrl = `http://127.0.0.1:${port}/inbound/kannel`;
  const kannel = await startKannel({
    smscPort: smsc.port,
    getUrl: `${callbackUrl}/${secrets.callbackSecret}?from=%p&to=%P&text=%a&id=%I`,
  });
  ends.push(kannel.close);
  sms = await startSms({ PORT: String(port), RATE_LIMIT_PER_SECOND: '1000000' }, async (prepared) => {
    const settings = { preset: 'kannel', baseUrl: kannel.url, username: 'trial', callbackUrl };
    await addSafaricomConnector(prepared, { name: 'kannel', kind: 'http-sms', settings, secrets });
    // That of the demo.
    await prepared.knex('inbound_messages').delete();
    await prepared.knex('senders').insert({ id: 'orders', team_id: 'demo', name: 'Orders', sender: '22141' });
    await prepared.knex('services').where({ id: 'demo-sms' }).update({ sender: '22141' });
  });
  ends.push(() => sms.service.dispose());
}, 60_000);
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

test('each outcome comes back, whatever the alphabet of the text, and so does what the phone writes', async () => {
  const { body } = await sms.send({
    type: 'SendToEach',
    messages: [
      { phone: '+254711001000', message: 'Habari ya asubuhi. '.repeat(20) },
      { phone: '+254711001001', message: 'Привет, 日本' },
      { phone: '+254711000006', message: 'Habari' },
    ],
  });
  const reported = await until(
    () => get(`/messages?requestId=${body.result.requestId}`),
    (items) => items.every(({ state }) => state !== 'Queued' && state !== 'Submitted'),
  );
  expect(
    new Map(reported.body.items.map(({ phone, state }: Record<string, string>) => [phone, state])),
  ).toEqual(
    new Map([
      ['+254711001000', 'Delivered'],
      ['+254711001001', 'Delivered'],
      ['+254711000006', 'DeliveryImpossible'],
    ]),
  );

  await sms.send(toMany(['+254711000011']));
  const heard = await until(
    () => get('/inbound-messages'),
    (items) => items.length > 0,
  );
  expect(heard.body.items).toMatchObject([
    { from: '+254711000011', to: '22141', text: 'STOP', keyword: 'STOP' },
  ]);
});

test('1,000 SMS arrive once each, and each is reported', async () => {
  const all = phones(1_000);
  const asked = new Set(all);
  const requests: string[] = [];
  for (let first = 0; first < all.length; first += 100) {
    const { body } = await sms.send(toMany(all.slice(first, first + 100)));
    requests.push(body.result.requestId);
  }
  for (const request of requests)
    await until(
      () => get(`/requests/${request}/messages?limit=100`),
      (items) => items.length === 100 && items.every(({ state }) => state === 'Delivered'),
    );
  expect(got.filter((phone) => asked.has(phone)).toSorted()).toEqual(all);
}, 180_000);
