/** Whatever a provider answers, and however early it reports, each message is billed once, or not at all if it was refused. */
import { afterEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Stub, type StubAnswer, startStub } from '../../../src/connectors/http/provider-testing.ts';
import { sized } from '../../../src/platform/sized-testing.ts';
import { phones, smsInProcess, toMany } from '../../support/requests/sms.ts';

const seed = Number(process.env.SEED);

let stub: Stub | undefined;
let sms: Awaited<ReturnType<typeof smsInProcess>> | undefined;
afterEach(async () => {
  await sms?.service.dispose();
  await stub?.close();
});

/** What the provider does with a submission, and whether it reports before it answers. */
const answers = fc.record({
  reportsFirst: fc.boolean(),
  answer: fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom<StubAnswer>({ status: 429 }, { status: 503 }) },
    {
      weight: 20,
      arbitrary: fc.constantFrom<StubAnswer>(
        { status: 202, body: { id: 'P' } },
        { status: 200, body: { code: 'BAD', message: 'no such number' } },
        { status: 200, body: { code: 'BUSY' } },
        { status: 500 },
        { status: 200, body: '{"id":"P' },
        'drop',
      ),
    },
  ),
});

/** A message that the response refuses gets no report. */
const isTaken = (answer: StubAnswer) =>
  typeof answer === 'string' || [202, 500].includes(answer.status) || typeof answer.body === 'string';

test(`each message ends, and the ledger has what it cost (SEED=${seed})`, async () => {
  const count = sized(60, 400);
  const script = fc.sample(answers, { numRuns: 3 * count, seed });
  const secret = 'behind-the-address';
  const report = async (reference: string) => {
    const { status } = await fetch(`${sms?.demo.baseUrl}/inbound/provider/${secret}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ reference, status: 'DELIVERED' }),
    });
    expect([200, 204]).toContain(status);
  };
  const taken = new Set<string>();
  stub = await startStub(async ({ body: { reference } }) => {
    const { answer, reportsFirst } = script.pop() ?? {
      answer: { status: 202, body: { id: 'P' } },
      reportsFirst: true,
    };
    if (!isTaken(answer)) return answer;
    taken.add(reference);
    if (reportsFirst) await report(reference);
    return answer;
  });
  sms = await smsInProcess({ RATE_LIMIT_PER_SECOND: '1000000' }, { delivers: true });
  const { service, send } = sms;
  const { knex, operate, hurry, settle, pass } = service;
  await operate('POST /connectors', {
    name: 'provider',
    kind: 'http-sms',
    settings: {
      baseUrl: stub.url,
      codes: { BAD: 'InvalidMsisdn', BUSY: 'again' },
      statuses: { DELIVERED: 'Delivered' },
    },
    secrets: { apiKey: 'key', callbackSecret: secret },
  });
  await operate('POST /channels', { name: 'Elsewhere', prefixes: ['25510'], connector: 'provider' });
  const unitsOfTeam = async () =>
    Number(
      (await knex('accounts').where({ team_id: 'demo', product: 'sms' }).sum({ sum: 'balance' }))[0]?.sum,
    );
  const before = await unitsOfTeam();

  const all = phones(count, '+25510000');
  const ids: string[] = [];
  for (let from = 0; from < count; from += 100) {
    const { status, body } = await send(toMany(all.slice(from, from + 100)));
    expect([status, body.desc]).toEqual([200, undefined]);
    ids.push(body.result.requestId);
  }
  const messages = () =>
    knex('messages').whereIn('request_id', ids).select<{ id: string; state: string; units: number }[]>();
  for (;;) {
    await settle();
    const open = (await messages()).filter(({ state }) => ['Queued', 'Sending'].includes(state));
    if (open.length === 0) break;
    pass(600_000);
    await hurry();
  }
  // What it has, it reports: again, where it did before.
  for (const reference of taken) await report(reference);
  await settle();

  const ended = await messages();
  const states = Map.groupBy(ended, ({ state }) => state);
  expect([...states.keys()].sort()).toEqual(expect.arrayContaining(['Delivered', 'InvalidMsisdn']));
  const refunded = new Set(
    (
      await knex('ledger_entries')
        .where({ reason: 'Refund' })
        .whereIn(
          'message_id',
          ended.map(({ id }) => id),
        )
    ).map(({ message_id: id }) => id),
  );
  const unpaid = ended.filter(({ id }) => refunded.has(id));
  expect(ended).toHaveLength(count);
  // Refused, too busy five times, or too late: none of them was delivered.
  expect(unpaid.filter(({ state }) => state === 'Delivered' || state === 'Submitted')).toEqual([]);
  const paid = ended.filter(({ id }) => !refunded.has(id));
  expect(await unitsOfTeam()).toBe(before - paid.reduce((sum, { units }) => sum + units, 0));
  expect(paid.map(({ state }) => state)).toEqual(paid.map(() => 'Delivered'));
}, 180_000);
