/** Tests that a signal ends a call wherever it is, and that a call without one goes on. */
import { expect, test } from '@jest/globals';
import { Tarishi } from './client.ts';
import type { Fetch } from './transport.ts';

const token = () => Response.json({ access_token: 't', expires_in: 3600 });
const page = () => Response.json({ items: [] });
const connect = (fetch: Fetch) =>
  new Tarishi({ baseUrl: 'http://here', clientId: 'c', clientSecret: 's', fetch });
const reason = new Error('enough');

/** Rejects when its signal aborts, as fetch does. */
const never: Fetch = (_, { signal }) =>
  new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

test('while it waits for a response', async () => {
  const controller = new AbortController();
  const tarishi = connect((url, init) => {
    if (url.endsWith('/oauth/token')) return Promise.resolve(token());
    queueMicrotask(() => controller.abort(reason));
    return never(url, init);
  });
  await expect(tarishi.balances.list({}, { signal: controller.signal })).rejects.toBe(reason);
});

test('between two attempts', async () => {
  const controller = new AbortController();
  let calls = 0;
  const tarishi = connect(async (url) => {
    if (url.endsWith('/oauth/token')) return token();
    calls += 1;
    queueMicrotask(() => setImmediate(() => controller.abort(reason)));
    return new Response('', { status: 503, headers: { 'Retry-After': '60' } });
  });
  await expect(tarishi.balances.list({}, { signal: controller.signal })).rejects.toBe(reason);
  expect(calls).toBe(1);
});

test('while it waits for a token, which other calls still get', async () => {
  const controller = new AbortController();
  let give: (response: Response) => void = () => {};
  const tarishi = connect((url) =>
    url.endsWith('/oauth/token')
      ? new Promise((resolve) => {
          give = resolve;
        })
      : Promise.resolve(page()),
  );
  const aborted = tarishi.balances.list({}, { signal: controller.signal });
  const other = tarishi.balances.list();
  controller.abort(reason);
  await expect(aborted).rejects.toBe(reason);
  give(token());
  expect(await other).toEqual({ items: [] });
});

test('before it begins: nothing is sent, not even for a token', async () => {
  let calls = 0;
  const tarishi = connect(async () => {
    calls += 1;
    return token();
  });
  const aborted = tarishi.balances.list({}, { signal: AbortSignal.abort(reason) });
  await expect(aborted).rejects.toBe(reason);
  expect(calls).toBe(0);
});
