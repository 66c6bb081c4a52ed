/** Pages of other web origins: only those that a client lists may call, and only operations of the contract. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeInBrowser, startBrowser } from '../../support/docs/browser.ts';
import { edit } from '../../support/management/caller.ts';
import { addTeam } from '../../support/management/team.ts';
import { smsInProcess, toMany } from '../../support/requests/sms.ts';
import { tokenFor } from '../../support/service/api.ts';

const inBrowser = describeInBrowser();

let pages: Server;
let listed: string;
let ofAnother: string;
let unlisted: string;
let sms: Awaited<ReturnType<typeof smsInProcess>>;

/** One server with three names, which browsers tell apart as three origins. */
beforeAll(async () => {
  pages = createServer((_request, response) =>
    response.setHeader('Content-Type', 'text/html').end('<p>A page</p>'),
  );
  await once(pages.listen(0, '127.0.0.1'), 'listening');
  const { port } = pages.address() as AddressInfo;
  [listed, ofAnother, unlisted] = ['localhost', 'another.localhost', '127.0.0.1'].map(
    (host) => `http://${host}:${port}`,
  ) as [string, string, string];

  sms = await smsInProcess();
  const { operate } = sms.service;
  const { clientId } = await addTeam(sms.service);
  await edit(operate, '/clients/demo', { webOrigins: [listed] });
  await edit(operate, `/clients/${clientId}`, { webOrigins: [ofAnother] });
});
afterAll(async () => {
  await sms?.service.dispose();
  pages?.close();
});

const preflight = (path: string, origin: string, method = 'POST') =>
  fetch(sms.demo.baseUrl + path, {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'authorization,content-type',
    },
  });

describe('preflight', () => {
  test('204 for a listed origin and an operation', async () => {
    const response = await preflight('/message/demo-sms', listed);
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(response.headers.get('access-control-allow-origin')).toBe(listed);
    expect(response.headers.get('access-control-allow-methods')).toBe('POST');
    for (const header of ['Authorization', 'Idempotency-Key', 'traceparent', 'tracestate'])
      expect(response.headers.get('access-control-allow-headers')?.split(', ')).toContain(header);
    expect(response.headers.get('vary')).toBe('Origin');
  });

  test.each([
    ['an origin that nobody lists', '/message/demo-sms', () => unlisted],
    ['another port', '/message/demo-sms', () => listed.replace(/\d+$/, '1')],
    ['another scheme', '/message/demo-sms', () => listed.replace('http:', 'https:')],
    ['an origin with a path', '/message/demo-sms', () => `${listed}/`],
    ['an opaque origin', '/message/demo-sms', () => 'null'],
    ['an inbound callback', '/inbound/simulator', () => listed],
    ['the documentation', '/docs', () => listed],
    ['an unknown path', '/nothing', () => listed],
  ])('refused for %s', async (_what, path, origin) => {
    const response = await preflight(path, origin());
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

test('200 and 400 can be read by a page of a listed origin', async () => {
  for (const [body, status] of [
    [toMany(['0711000000']), 200],
    [toMany([]), 400],
  ] as const) {
    const answer = await sms.send(body, { headers: { Origin: listed } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('access-control-allow-origin')).toBe(listed);
    expect(answer.headers.get('access-control-expose-headers')).toContain('X-Request-Id');
  }
});

test('401, 404 and 405 too, although it is not known yet which client calls', async () => {
  const headers = { Origin: listed };
  for (const [status, answer] of [
    [401, await sms.send(toMany(['0711000000']), { headers, token: undefined })],
    [401, await sms.send(toMany(['0711000000']), { headers, token: 'nonsense' })],
    [404, await sms.send(toMany(['0711000000']), { headers, serviceId: 'no-such' })],
    [405, await fetch(`${sms.demo.baseUrl}/message/demo-sms`, { headers })],
  ] as const) {
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, listed]);
    expect(answer.headers.get('vary')).toBe('Origin');
  }
});

test('200 without permission to read, for what is not a page of any listed origin; caches tell them apart', async () => {
  for (const headers of [{}, { Origin: unlisted }]) {
    const answer = await sms.send(toMany(['0711000000']), { headers });
    expect([answer.status, answer.headers.get('vary')]).toEqual([200, 'Origin']);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  }
});

inBrowser('in Chromium', () => {
  test('a page of a listed origin sends an SMS; pages of other origins cannot', async () => {
    const browser = await startBrowser();
    try {
      const page = await browser.newPage();
      const token = await tokenFor(sms.demo.baseUrl, sms.demo);
      const outcomes: unknown[] = [];
      for (const origin of [listed, ofAnother, unlisted]) {
        await page.goto(origin);
        outcomes.push(
          await page.evaluate(
            async (url, bearer, body) => {
              try {
                const response = await fetch(url, {
                  method: 'POST',
                  headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
                  body,
                });
                return response.status;
              } catch (error) {
                return (error as Error).message;
              }
            },
            `${sms.demo.baseUrl}/message/demo-sms`,
            token,
            JSON.stringify(toMany(['0711000000'])),
          ),
        );
      }
      expect(outcomes).toEqual([200, 403, 'Failed to fetch']);
    } finally {
      await browser.close();
    }
  });
});
