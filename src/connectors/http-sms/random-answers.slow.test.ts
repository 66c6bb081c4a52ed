/** Whatever a provider answers, no message is lost, and none is sent again that was clearly taken or refused. */
import { afterEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { HandOver } from '../contract/connector.ts';
import { longLease } from '../contract/lease-testing.ts';
import { outbound, type Stub, type StubAnswer, startStub, testContext } from '../http/provider-testing.ts';
import { checkSettings } from '../runtime/settings.ts';
import { httpSmsKind } from './http-sms.ts';

const settings = {
  codes: { OK: 'accepted', BUSY: 'again', FAST: 'throttled', BAD: 'InvalidMsisdn' },
  timeoutSeconds: 3,
  concurrency: 64,
};

/** What is answered, and whether the provider took the message, refused it, or did neither. */
interface Answer {
  answer: StubAnswer;
  does: 'takes' | 'refuses' | 'neither';
  /** The answer says so. */
  isClear: boolean;
}

const of = (does: Answer['does'], isClear: boolean, answer: StubAnswer): Answer => ({
  does,
  isClear,
  answer,
});
const coded = (status: number, code: string): StubAnswer => ({ status, body: { code, message: code } });
const answers: fc.Arbitrary<Answer> = fc.oneof(
  fc.constantFrom(
    of('takes', true, { status: 202, body: { id: 'P' } }),
    of('takes', true, coded(200, 'OK')),
    of('refuses', true, coded(200, 'BAD')),
    of('refuses', true, coded(422, 'WHO KNOWS')),
    of('neither', true, coded(200, 'BUSY')),
    of('neither', true, coded(400, 'FAST')),
    of('neither', true, { status: 429, headers: { 'Retry-After': '3' } }),
    of('neither', true, { status: 503 }),
  ),
  fc
    .tuple(fc.constantFrom('takes' as const, 'neither' as const), fc.integer({ min: 0, max: 19 }))
    .map(([does, kind]) => {
      if (kind === 0) return of(does, false, 'silence');
      if (kind < 7) return of(does, false, 'drop');
      if (kind < 12) return of(does, false, { status: 200, body: '{"id":"P' });
      return of(does, false, { status: kind % 2 === 0 ? 500 : 504, body: { message: 'sorry' } });
    }),
);

let stub: Stub;
afterEach(() => stub.close());

test('500 answers in any order', async () => {
  const seed = Number(process.env.SEED);
  const script = fc.sample(answers, { numRuns: 500, seed });
  const heard = new Map<string, Answer[]>();
  stub = await startStub(({ body }) => {
    // Once all are used up the provider is well.
    const next = script.pop() ?? of('takes', true, { status: 202, body: { id: 'P' } });
    const id = String(body.reference);
    heard.set(id, [...(heard.get(id) ?? []), next]);
    return next.answer;
  });
  const context = testContext();
  const connector = httpSmsKind.open(
    checkSettings(httpSmsKind, { ...settings, baseUrl: stub.url } as never),
    { apiKey: 'k' },
    context,
  );
  const ended = new Map<string, HandOver>();
  let waiting = Array.from({ length: 200 }, (_, index) =>
    outbound({ id: String(index + 1), product: 'sms' }),
  );
  while (waiting.length > 0) {
    const outcomes = await connector.send(waiting, longLease);
    const again = waiting.filter(({ id }, place) => {
      const outcome = outcomes[place] as HandOver;
      if (outcome.kind !== 'later') ended.set(id, outcome);
      return outcome.kind === 'later';
    });
    waiting = again;
    context.clock.advance(600);
  }
  await connector.close?.();

  const told = `SEED=${seed}`;
  expect([ended.size, context.pauses, script, told]).toEqual([200, [], [], told]);
  for (const [id, outcome] of ended) {
    const all = heard.get(`tarishi-${id}`) ?? [];
    const last = all.at(-1);
    const unclear = all.filter(({ isClear }) => !isClear).length;
    const taken = all.filter(({ does }) => does === 'takes').length;
    // A clear yes or no is the last that is asked; the others are what an unclear answer may lead to.
    expect([id, all.slice(0, -1).filter(({ isClear, does }) => isClear && does !== 'neither')]).toEqual([
      id,
      [],
    ]);
    expect(['accepted', 'rejected']).toContain(outcome.kind);
    expect(taken).toBeLessThanOrEqual(unclear + 1);
    expect(unclear).toBeLessThanOrEqual(5);
    // What is refunded was refused clearly, or asked for another try too often.
    if (outcome.kind === 'rejected')
      expect([id, last?.isClear, last?.does === 'takes']).toEqual([id, true, false]);
    else expect([id, last?.does === 'takes' || unclear > 0]).toEqual([id, true]);
  }
});
