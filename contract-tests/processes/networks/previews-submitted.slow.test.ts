/** A preview tells the truth: what it shows is what the send debits, and what each network's SMSC is sent. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import { systemTimers } from '../../../src/connectors/smpp/session/timers.ts';
import { listenAsSmsc, type Smsc } from '../../../src/partner/sandbox/smsc/smsc.ts';
import { sized } from '../../../src/platform/sized-testing.ts';
import { addConnector } from '../../support/prepared/connectors.ts';
import { type SmsService, startSms } from '../../support/requests/sms.ts';
import { call } from '../../support/service/api.ts';

const seed = Number(process.env.SEED);
const requests = Number(process.env.PREVIEWS ?? sized(10, 300));
process.stderr.write(`previews: SEED=${seed} PREVIEWS=${requests}\n`);

/** One channel for each way to submit a long text. */
const forms = [
  { channel: 'Safaricom', prefix: '+25471100', concatenation: 'udh16', defaultAlphabet: 'gsm7' },
  { channel: 'Airtel', prefix: '+25473300', concatenation: 'udh8', defaultAlphabet: 'latin1' },
  { channel: 'Telkom', prefix: '+25477000', concatenation: 'messagePayload', defaultAlphabet: 'gsm7' },
] as const;

let smsc: Smsc;
let sms: SmsService;
/** Parts that came, by number. */
let taken = new Map<string, number>();

beforeAll(async () => {
  smsc = await listenAsSmsc({
    host: '127.0.0.1',
    port: 0,
    timers: systemTimers,
    logger: pino({ level: 'silent' }),
    admit: () => 0,
    answer: async ({ destination }) => {
      const phone = `+${destination.number}`;
      taken.set(phone, (taken.get(phone) ?? 0) + 1);
      return { status: 0, report: { state: 'DELIVRD', error: '000', afterMs: 0 } };
    },
  });
  sms = await startSms({ RATE_LIMIT_PER_SECOND: '1000000', LOG_LEVEL: 'error' }, async (prepared) => {
    const { knex } = prepared;
    for (const { channel, prefix, ...form } of forms) {
      const settings = { host: '127.0.0.1', port: smsc.port, systemId: channel, rate: 100_000, ...form };
      await addConnector(prepared, { name: channel.toLowerCase(), kind: 'smpp', settings });
      const [known] = await knex('channels')
        .where({ name: channel })
        .update({ connector: channel.toLowerCase() })
        .returning('name');
      if (known === undefined)
        await knex('channels').insert({
          name: channel,
          prefixes: JSON.stringify([prefix.slice(1, 6)]),
          connector: channel.toLowerCase(),
          position: 9,
        });
    }
  });
});

afterAll(async () => {
  await sms?.service.dispose();
  await smsc?.close();
});

const characters = fc.constantFrom('a', ' b', '€', '[', 'Δ', 'ç', 'я', '😀', '\n');
const texts = fc
  .array(fc.tuple(characters, fc.integer({ min: 1, max: 160 })), { minLength: 1, maxLength: 6 })
  .map((runs) => `x${runs.map(([character, times]) => character.repeat(times)).join('')}`)
  .map((text) => [...text].slice(0, 960).join(''));
const numbers = fc
  .tuple(fc.constantFrom(...forms), fc.integer({ min: 5_000, max: 5_003 }))
  .map(([{ prefix }, last]) => `${prefix}${last}`);
/** Mostly what can be sent. */
const written = fc.oneof({ weight: 12, arbitrary: numbers }, { weight: 1, arbitrary: fc.constant('12345') });
const recipients = fc.array(written, { minLength: 1, maxLength: 6 });
const entries = fc.array(fc.record({ phone: written, message: texts }), { minLength: 1, maxLength: 6 });
const params = fc.tuple(fc.constantFrom('4711', '1', 'not a number'), texts).map(([order, note]) => [
  { name: 'name', value: 'Asha' },
  { name: 'order', value: order },
  { name: 'code', value: 'K7P2' },
  { name: 'note', value: note.replaceAll('\n', ' ').slice(0, 500).toWellFormed() },
]);
const bodies = fc.oneof(
  fc.record({ type: fc.constant('SendToMany'), addresses: recipients, message: texts }),
  fc.record({ type: fc.constant('SendToEach'), messages: entries }),
  fc.record({
    type: fc.constant('TemplateSendToEach'),
    templateId: fc.constant('order-shipped'),
    messages: fc.array(fc.record({ phone: written, params }), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    type: fc.constant('TemplateSendToMany'),
    templateId: fc.constant('order-shipped'),
    addresses: recipients,
    params,
  }),
);

interface Shown {
  sendable: boolean;
  units: object;
  addresses: object;
  accounts: { units: number; balance: number; remaining: number }[];
  recipients: { phone: string; units: number; parts: number }[];
}

interface Stored {
  state: string;
  phone: string;
  units: number;
  parts?: number;
}

const get = async (path: string) =>
  (await call(sms.demo.baseUrl, path, { method: 'GET', token: sms.token })).body;

async function balance(): Promise<number> {
  const { items } = await get('/balances?limit=100');
  return items.find(({ product }: { product: string }) => product === 'Sms').balance;
}

/** The response of a network, which tells the parts, may be recorded after its report. */
async function untilDelivered(requestId: string): Promise<Stored[]> {
  for (;;) {
    const items: Stored[] = (await get(`/requests/${requestId}/messages?limit=100`)).items;
    if (items.every(({ state, parts }) => state === 'Delivered' && parts !== undefined)) return items;
    await delay(20);
  }
}

function sumBy<One extends { phone: string }>(recipients: readonly One[], value: (one: One) => number) {
  const sums = new Map<string, number>();
  for (const one of recipients) sums.set(one.phone, (sums.get(one.phone) ?? 0) + value(one));
  return sums;
}

test(`the preview shows what is debited and how many parts are submitted (SEED=${seed})`, async () => {
  let sent = 0;
  const agrees = fc.asyncProperty(bodies, async (body) => {
    taken = new Map();
    const preview = await sms.post(`/message/${sms.demo.smsServiceId}/preview`, body);
    const response = await sms.send(body);
    const shown = preview.body as Shown;
    if (preview.status !== 200) {
      // A send names invalid numbers first and alone; a preview has them among the recipients.
      const numbersFirst = response.body.desc.startsWith('Invalid phone numbers: ');
      expect(response.status).toBe(preview.status);
      if (!numbersFirst) expect(response.body).toEqual(preview.body);
      return;
    }
    expect(response.status).toBe(shown.sendable ? 200 : 400);
    if (!shown.sendable) return;
    sent += 1;
    const { requestId, units, addresses } = response.body.result;
    expect({ units: shown.units, addresses: shown.addresses }).toEqual({ units, addresses });
    const [account] = shown.accounts;
    expect(await balance()).toBe(account?.remaining);
    expect(shown.recipients.reduce((sum, one) => sum + one.units, 0)).toBe(account?.units);
    const items = await untilDelivered(requestId);
    const parts = sumBy(shown.recipients, (one) => one.parts);
    expect(taken).toEqual(parts);
    expect(sumBy(items, (one) => one.parts ?? 0)).toEqual(parts);
    expect(sumBy(items, ({ units }) => units)).toEqual(sumBy(shown.recipients, ({ units }) => units));
  });
  await fc.assert(agrees, { numRuns: requests, seed, endOnFailure: true });
  expect(sent).toBeGreaterThan(requests / 4);
}, 600_000);
