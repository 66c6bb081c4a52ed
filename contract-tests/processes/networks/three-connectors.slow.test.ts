/** Routes of three connectors over HTTP under random faults: what one of them would take gets there, bundles once, and all is told. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type Received,
  type Stub,
  type StubAnswer,
  startStub,
} from '../../../src/connectors/http/provider-testing.ts';
import { createRandom } from '../../../src/partner/sandbox/random.ts';
import { isLarge } from '../../../src/platform/sized-testing.ts';
import { bundleToMany } from '../../support/requests/disbursement.ts';
import { phones, smsInProcess, toMany } from '../../support/requests/sms.ts';
import { tokenFor } from '../../support/service/api.ts';

const seed = Number(process.env.SEED);
const random = createRandom(seed);
const any = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;

/** `lost`: it does what it is asked, and nobody hears the answer; `gone`: it does nothing, and answers nothing. */
const moods = ['works', 'works', 'refuses', 'busy', 'away', 'lost', 'gone'] as const;
const names = ['first', 'second', 'third'];
const faultsForMs = isLarge ? 600_000 : 15_000;
const perRound = 20;

interface Provider {
  name: string;
  stub: Stub;
  mood: (typeof moods)[number];
  /** The references of what it has done, as often as it did, and of what it refused. */
  given: string[];
  refused: Set<string>;
}

const refusal = { status: 422, body: { code: 'NO_ROUTE', reason: { code: 'NO_ROUTE' } } };

/** An SMS names itself by `reference`, a bundle by `externalReference`, by which its provider is asked. */
function answerTo(provider: Provider, { method, url, body }: Received): StubAnswer {
  const { mood, given, refused } = provider;
  if (mood === 'busy') return { status: 429 };
  if (mood === 'away') return { status: 503 };
  if (mood === 'gone') return 'drop';
  const asked = new URLSearchParams(url.split('?')[1]).get('externalReference');
  const reference: string = asked ?? body.reference ?? body.externalReference;
  const done = { status: 200, body: { id: reference, externalReference: reference, status: 'SUCCESSFUL' } };
  if (method === 'GET') {
    if (given.includes(reference)) return done;
    return refused.has(reference)
      ? { status: 200, body: { ...done.body, status: 'REJECTED' } }
      : { status: 404 };
  }
  if (mood === 'refuses') {
    refused.add(reference);
    return refusal;
  }
  given.push(reference);
  return mood === 'lost' ? 'drop' : done;
}

let sms: Awaited<ReturnType<typeof smsInProcess>>;
const providers: Provider[] = [];
beforeAll(async () => {
  sms = await smsInProcess({ RATE_LIMIT_PER_SECOND: '1000000' }, { delivers: true });
  const { operate } = sms.service;
  for (const name of names) {
    const stub = await startStub((request) => answerTo(provider, request));
    const provider: Provider = { name, stub, mood: 'works', given: [], refused: new Set() };
    providers.push(provider);
    const at = { baseUrl: stub.url, timeoutSeconds: 1 };
    await operate('POST /connectors', { name, kind: 'http-sms', settings: at, secrets: { apiKey: 'key' } });
    await operate('POST /connectors', {
      name: `${name}-data`,
      kind: 'bundles',
      settings: at,
      secrets: { token: 'key' },
    });
  }
  // Ten minutes of rounds take more than the demo has.
  const bundles = { channel: 'Safaricom', denomination: '100MB' };
  for (const [product, more] of [['Sms', {}] as const, ['MobileData', bundles] as const])
    await operate('POST /teams/demo/top-ups', { product, ...more, units: 1_000_000, reference: product });
  for (const [product, ending] of [
    ['Sms', ''],
    ['MobileData', '-data'],
  ])
    await operate('POST /routes', {
      ...{ name: `all${ending}`, channel: 'Safaricom', product },
      via: names.map((name) => ({ connector: name + ending })),
    });
}, 60_000);
afterAll(async () => {
  await sms?.service.dispose();
  for (const { stub } of providers) await stub.close();
});

interface Stored {
  id: string;
  product: string;
  state: string;
  hops: { connector: string; refused: boolean }[] | null;
}

/** What is wrong with a message at the end. */
function wrongWith({ id, product, state, hops }: Stored): string[] {
  const reference = `tarishi-${id}`;
  const times = providers.flatMap(({ given }) => given.filter((one) => one === reference)).length;
  const refusedBy = providers.filter(({ refused }) => refused.has(reference)).map(({ name }) => name);
  const told = (hops ?? []).filter(({ refused }) => refused).map((hop) => hop.connector.replace('-data', ''));
  const isTaken = state === 'Submitted' || state === 'Delivered';
  const untold = refusedBy.filter((name) => !told.includes(name));
  const of = `${product} ${id}`;
  return [
    ...(isTaken || refusedBy.length === names.length ? [] : [`${of} is ${state}`]),
    ...(isTaken && times === 0 ? [`${of} was given by nobody`] : []),
    ...(product === 'data' && times > 1 ? [`${of} was given ${times} times`] : []),
    // The last of all refusals is the end of the message.
    ...(untold.length > (isTaken ? 0 : 1) ? [`${of}: ${untold} refused it, which is not told`] : []),
    ...(new Set(told).size < told.length ? [`${of}: ${told} is told twice`] : []),
  ];
}

test(
  `nothing fails that one of three could have carried (SEED=${seed})`,
  async () => {
    const { service, demo, send, post } = sms;
    const { knex, hurry, settle, pass } = service;
    const isOpen = async () => (await knex('jobs')).length > 0;
    const untilMs = performance.now() + faultsForMs;
    let sent = 0;
    for (let round = 0; round === 0 || performance.now() < untilMs; round += 1) {
      for (const provider of providers) provider.mood = any(moods);
      const to = phones(perRound, `+25471${String(round % 100).padStart(3, '0')}`);
      const bundles = bundleToMany(to, '100MB');
      // Rounds take more than the hour that a token is valid.
      const token = await tokenFor(demo.baseUrl, demo);
      for (const { status } of [
        await send(toMany(to), { token }),
        await post(`/data/${demo.campaigns.open}`, bundles, { token }),
      ])
        expect(status).toBe(200);
      sent += 2 * perRound;
      await hurry();
      await settle();
      pass(Math.floor(random() * 60_000));
    }
    // Whatever is left has one that works.
    for (const provider of providers) provider.mood = 'works';
    for (let round = 0; round < 60 && (await isOpen()); round += 1) {
      pass(60_000);
      await hurry();
      await settle();
    }
    expect(await isOpen()).toBe(false);
    const stored: Stored[] = await knex('messages').whereIn('product', ['sms', 'data']).orderBy('id');
    expect(stored).toHaveLength(sent);
    expect(stored.flatMap(wrongWith)).toEqual([]);
    // It was not all quiet.
    expect(stored.filter(({ hops }) => (hops ?? []).length > 0).length).toBeGreaterThan(sent / 10);
  },
  faultsForMs * 2 + 180_000,
);
