/** Units in the response, units debited and units of the stored messages are equal, whatever is sent. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sized } from '../../../src/platform/sized-testing.ts';
import {
  bundleToEach,
  bundleToMany,
  defaultService,
  selfService,
} from '../../support/requests/disbursement.ts';
import { templateToEach, templateToMany, toEach, toMany } from '../../support/requests/sms.ts';
import { type Answer, call, tokenFor } from '../../support/service/api.ts';
import { type InProcess, startInProcess } from '../../support/service/in-process.ts';
import { rowsOf, topUp, unbalancedAccounts } from '../../support/service/stored-data.ts';

const bodies = Number(process.env.UNITS_BODIES ?? sized(500, 3_000));
const seed = Number(process.env.SEED);
const callers = 24;

interface Request {
  path: string;
  body: object;
}

/** One row per product: its requests, and how its responses count, by the names in the database. */
interface Product {
  /** As messages name it. */
  name: string;
  operation: string;
  requests: (demo: InProcess['demo']) => fc.Arbitrary<Request>;
  counted: (answer: Answer['body']) => { requestId: string; units: Counts; addresses: Counts };
  /** Of a message, in SQL: the key of `counted`. */
  key: string;
}

type Counts = Record<string, number>;

const sms: Product = {
  name: 'sms',
  operation: 'sendSms',
  requests: (demo) => smsBodies(demo).map((body) => ({ path: `/message/${demo.smsServiceId}`, body })),
  counted: ({ result }) => result,
  key: 'channel',
};
const chatApp: Product = {
  name: 'chatapp',
  operation: 'sendChatAppTemplate',
  requests: (demo) =>
    chatAppBodies(demo).map((body) => ({ path: `/message/${demo.chatAppServiceId}/chatapp`, body })),
  counted: ({ result }) => {
    const [category = ''] = Object.keys(result.units);
    return { ...result, addresses: { [category]: result.addresses } };
  },
  key: '(select variant from accounts where accounts.id = messages.account_id)',
};
const data: Product = {
  name: 'data',
  operation: 'disburseMobileData',
  requests: (demo) => dataBodies(demo).map(([campaignId, body]) => ({ path: `/data/${campaignId}`, body })),
  counted: ({ requestId, units, addresses }) => {
    const flat = Object.entries<Counts>(units).flatMap(([channel, counts]) =>
      Object.entries(counts).map(([denomination, count]) => [`${channel} ${denomination}`, count] as const),
    );
    // A bundle is one unit: what is counted per channel is there per channel and denomination too.
    expect(sumOf(addresses)).toBe(sumOf(Object.fromEntries(flat)));
    return { requestId, units: Object.fromEntries(flat), addresses: Object.fromEntries(flat) };
  },
  key: "channel || ' ' || content",
};
const products: Product[] = [sms, data, chatApp];

let service: InProcess;
let token = '';

beforeAll(async () => {
  service = await startInProcess({ RATE_LIMIT_PER_SECOND: '1000000', OVERLOADED_AFTER_MS: '600000' });
  token = await tokenFor(service.demo.baseUrl, service.demo);
  await topUp(service.knex, service.demo.clientId, 10_000_000);
});
afterAll(() => service?.dispose());

test(
  `SEED=${seed}: ${bodies} random bodies; ledger and messages say what each answer says`,
  async () => {
    const requests = fc.sample(fc.oneof(...products.map((product) => ofProduct(product))), {
      numRuns: bodies,
      seed,
    });
    const answers: { product: Product; answer: Answer }[] = [];
    await Promise.all(
      Array.from({ length: callers }, async () => {
        for (let next = requests.pop(); next !== undefined; next = requests.pop()) {
          const { product, path, body } = next;
          answers.push({ product, answer: await call(service.demo.baseUrl, path, { token, body }) });
        }
      }),
    );
    const accepted = answers.filter(({ answer }) => answer.status === 200);
    expect(new Set(answers.map(({ answer }) => answer.status))).toEqual(new Set([200, 400]));
    // Else the test has lost its edge.
    expect(accepted.length).toBeGreaterThan(bodies / 2);

    const { knex } = service;
    const stored = new Map<string, object>();
    for (const product of products)
      for (const { id, ...row } of await rowsOf<{ id: string }>(knex, storedCounts(product)))
        stored.set(id, row);
    const answered = new Map(
      accepted.map(({ product, answer }) => {
        const { requestId, units, addresses } = product.counted(answer.body);
        return [requestId, { units: used(units), addresses: used(addresses), debited: sumOf(units) }];
      }),
    );
    expect(stored).toEqual(answered);
    expect(await rowsOf(knex, companionsOtherThanDebited)).toEqual([]);
    expect(await unbalancedAccounts(knex)).toEqual([]);
  },
  120_000 + bodies * 60,
);

function ofProduct(product: Product): fc.Arbitrary<Request & { product: Product }> {
  return product.requests(service.demo).map((request) => ({ ...request, product }));
}

/** Per request: units and messages by key, and what the ledger has debited from the product's accounts. */
function storedCounts({ name, operation, key }: Product): string {
  return `select request_id as id,
      json_object_agg(key, units) as units, json_object_agg(key, messages) as addresses,
      (select -sum(e.units)::integer from ledger_entries e join accounts a on a.id = e.account_id
       where e.request_id = by_key.request_id and e.reason = 'Debit' and a.product = '${name}') as debited
    from (
      select request_id, ${key} as key, sum(units)::integer as units, count(*)::integer as messages
      from messages where product = '${name}'
        and request_id in (select id from requests where operation = '${operation}' and not confirmation) group by 1, 2
    ) as by_key group by request_id`;
}

/** SMS that accompany bundles are in no response: their debit must equal their cost. */
const companionsOtherThanDebited = `
  select r.id from requests r where r.operation = 'disburseMobileData' and (
    select coalesce(sum(ceil(char_length(m.content) / 160.0)), 0) from messages m
    where m.request_id = r.id and m.product = 'sms'
  ) is distinct from (
    select coalesce(-sum(e.units), 0) from ledger_entries e join accounts a on a.id = e.account_id
    where e.request_id = r.id and e.reason = 'Debit' and a.product = 'sms'
  )`;

function used(counts: Counts): Counts {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

function sumOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

const digits = fc.integer({ min: 0, max: 9999 }).map((n) => String(n).padStart(4, '0'));
/** From a short list, so that numbers come twice; each in every form, a few of them nobody's. */
const recipient = fc.oneof(
  {
    weight: 200,
    arbitrary: fc
      .tuple(fc.constantFrom('71100', '73300'), digits, fc.constantFrom('+254', '254', '0', '+254 '))
      .map(([network, last, lead]) => `${lead}${network}${last}`),
  },
  fc.constantFrom('12345', '+999000'),
);
const upTo = <Value>(arbitrary: fc.Arbitrary<Value>, maxLength: number) =>
  fc.array(arbitrary, { minLength: 1, maxLength, size: 'max' });

/** Bodies of the four modes. */
function smsBodies(demo: InProcess['demo']): fc.Arbitrary<object> {
  const character = fc.constantFrom('a', 'é', '€', 'я', '😀', ' ');
  const text = fc
    .tuple(character, fc.oneof(fc.integer({ min: 0, max: 959 }), fc.constantFrom(159, 160, 319, 320, 959)))
    .map(([filling, length]) => `x${filling.repeat(length)}`);
  const several = fc.constantFrom(2, 5, 20, 100);
  const params = fc
    .tuple(fc.stringMatching(/^[A-Za-z]{1,40}$/), fc.stringMatching(/^[0-9]{1,10}$/), text)
    .map(([name, order, note]) => [
      { name: 'name', value: name },
      { name: 'order', value: order },
      { name: 'code', value: 'K7P2' },
      { name: 'note', value: note.slice(0, 700) },
    ]);
  const { named } = demo.templates;
  return fc.oneof(
    fc
      .tuple(
        several.chain((most) => upTo(recipient, most)),
        text,
      )
      .map(([to, words]) => toMany(to, words)),
    several
      .chain((most) => upTo(fc.record({ phone: recipient, message: text }), most))
      .map((messages) => toEach(messages)),
    fc.tuple(upTo(recipient, 10), params).map(([to, given]) => templateToMany(named, to, given)),
    upTo(fc.record({ phone: recipient, params }), 10).map((messages) => templateToEach(named, messages)),
  );
}

/** Bodies of both modes for every template, a few of them one that may not be sent. */
function chatAppBodies({ chatAppTemplates, phoneNumberIds }: InProcess['demo']): fc.Arbitrary<object> {
  const template = fc.constantFrom(...Object.values(chatAppTemplates));
  const phoneNumberId = fc.constantFrom(...phoneNumberIds);
  return fc.oneof(
    fc.tuple(template, phoneNumberId, upTo(recipient, 10)).map(([{ id, params }, from, addresses]) => ({
      type: 'TemplateSendToMany',
      phoneNumberId: from,
      templateId: id,
      addresses,
      params,
    })),
    fc.tuple(template, phoneNumberId, upTo(recipient, 10)).map(([{ id, params }, from, to]) => ({
      type: 'TemplateSendToEach',
      phoneNumberId: from,
      templateId: id,
      messages: to.map((phone) => ({ phone, params })),
    })),
  );
}

/** Bodies of both modes with and without SMS, a few of them with a size that the campaign does not allow. */
function dataBodies({ campaigns, smsServiceId }: InProcess['demo']): fc.Arbitrary<[string, object]> {
  const campaign = fc.constantFrom(campaigns.open, campaigns.open, campaigns.daily);
  const denomination = fc.oneof(
    { weight: 40, arbitrary: fc.constantFrom('100MB', '500MB', '1GB') },
    fc.constant('5GB'),
  );
  const size = fc.constantFrom(1, 5, 40, 100);
  const message = fc.integer({ min: 1, max: 960 }).map((length) => 'a'.repeat(length));
  const through = fc.constantFrom(defaultService, selfService(smsServiceId));
  const entry = fc.record(
    { phone: recipient, denomination, message },
    { requiredKeys: ['phone', 'denomination'] },
  );
  const bodies = fc.oneof(
    fc
      .tuple(
        size.chain((most) => upTo(entry, most)),
        through,
      )
      .map(([disbursements, messaging]) => bundleToEach(disbursements, { messaging })),
    fc
      .tuple(
        size.chain((most) => upTo(recipient, most)),
        denomination,
        fc.option(fc.record({ message, through })),
      )
      .map(([to, given, sms]) =>
        bundleToMany(to, given, sms === null ? {} : { messaging: { message: sms.message, ...sms.through } }),
      ),
  );
  return fc.tuple(campaign, bodies);
}
