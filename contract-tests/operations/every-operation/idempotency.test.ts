/** Idempotency-Key at every operation that sends: one key, one effect. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { type DocumentedOperation, requestsOf, sending } from '../../../spec/document.ts';
import { forEvery } from '../../../src/platform/for-every-testing.ts';
import { askAsPublished } from '../../support/document/published-requests.ts';
import { addTeam } from '../../support/management/team.ts';
import { toEach, toMany } from '../../support/requests/sms.ts';
import { call, tokenFor } from '../../support/service/api.ts';
import type { DemoCaller } from '../../support/service/demo-client.ts';
import { sharedDemo } from '../../support/shared/service.ts';

let client: DemoCaller;
beforeAll(async () => {
  client = await sharedDemo();
});

const withKey = (key: string) => ({ 'idempotency-key': key });
const everySend = (
  check: (ask: (key: string, body?: unknown) => ReturnType<typeof call>, bodies: unknown[]) => unknown,
) =>
  forEvery(
    sending.map((operation) => ({ operation, name: operation.operationId })),
    '$name',
    ({ operation }: { operation: DocumentedOperation }) =>
      check(
        (key, body) =>
          askAsPublished(client.demo.baseUrl, operation, {
            token: client.token,
            body,
            headers: withKey(key),
          }),
        [...requestsOf(operation).examples.values()],
      ),
  );

test('200 the same request again gets the first response, byte for byte', () =>
  everySend(async (ask) => {
    const key = randomUUID();
    const [first, again] = [await ask(key), await ask(key)];
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([
      200,
      first.text,
      'true',
    ]);
  }));

test('409 This Idempotency-Key was used with another request.', () =>
  everySend(async (ask, [first, second]) => {
    const key = randomUUID();
    expect((await ask(key, first)).status).toBe(200);
    const answer = await ask(key, second);
    expect([answer.status, answer.body, answer.headers.get('error-code')]).toEqual([
      409,
      { desc: 'This Idempotency-Key was used with another request.' },
      'key-reused',
    ]);
  }));

test('409 A request with this Idempotency-Key is still running. — 50 at once have one effect', () =>
  everySend(async (ask) => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(key)));
    const accepted = answers.filter(({ status }) => status === 200);
    expect(new Set(accepted.map(({ text }) => text)).size).toBe(1);
    const running = answers.filter(({ status }) => status !== 200);
    expect(running.length).toBeGreaterThan(0);
    for (const { status, body } of running)
      expect([status, body]).toEqual([
        409,
        { desc: 'A request with this Idempotency-Key is still running.' },
      ]);
  }));

test('a key belongs to one client and one operation', async () => {
  const key = randomUUID();
  await everySend(async (ask) => {
    const { status, headers } = await ask(key);
    expect([status, headers.get('idempotent-replayed')]).toEqual([200, null]);
  });
  const { baseUrl } = client.demo;
  const team = await addTeam(client.service, { sms: 1 });
  const by = { token: await tokenFor(baseUrl, team), headers: withKey(key) };
  const body = toMany(['0711000000']);
  const other = await call(baseUrl, `/message/${team.smsServiceId}`, { ...by, body });
  expect([other.status, other.headers.get('idempotent-replayed')]).toEqual([200, null]);
});

test('lengths come before the form of a key, that before two texts, these before its use, and that before phones', async () => {
  const malformed = { headers: withKey('k'.repeat(256)) };
  const used = { headers: withKey(randomUUID()) };
  const { demo, post } = client;
  const send = async (body: object, options: object) =>
    (await post(`/message/${demo.smsServiceId}`, body, options)).headers.get('error-code');
  const twoTexts = toEach([{ phone: 'bad', message: 'one', text: 'other' }]);
  expect(await send(toMany(['bad'], 'a'.repeat(961)), malformed)).toBe('schema-violation');
  expect(await send(twoTexts, malformed)).toBe('invalid-idempotency-key');
  expect(await send(toMany(['0711000000']), used)).toBeNull();
  expect(await send(twoTexts, used)).toBe('texts-differ');
  expect(await send(toMany(['bad']), used)).toBe('key-reused');
});
