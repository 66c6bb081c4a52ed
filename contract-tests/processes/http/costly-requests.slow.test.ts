/**
 * Requests that strangers and clients send to cost memory or time: the service stays small and responds to others at
 * once.
 */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { phones, type SmsService, startSms, toMany } from '../../support/requests/sms.ts';

const connections = Number(process.env.HALF_SENT ?? 500);
const mebibyte = 1024 * 1024;
/** Of the service's CPU, whatever else the machine does: for as long no other request is served. */
const mostCpuMs = 200;

let sms: SmsService;
let sockets: Socket[] = [];

beforeAll(async () => {
  sms = await startSms({ RATE_LIMIT_PER_SECOND: '1000000' });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  // What the connections held is free once the service has noticed that they closed.
  while ((await sms.send(toMany(phones(1)))).status !== 200) await delay(50);
});
afterAll(() => sms?.service.dispose());

/** Sends a head and a part of its body, and leaves it there. Resolves when a response comes or all is written. */
function sendHalf(head: string, sentBytes: number): Promise<string> {
  const { hostname, port } = new URL(sms.demo.baseUrl);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.on('error', () => resolve('reset'));
    socket.on('data', (bytes) => resolve(String(bytes)));
    socket.write(head.replaceAll('\n', '\r\n'));
    socket.write(Buffer.alloc(sentBytes, 'x'), () => setImmediate(() => resolve('')));
  });
}

const residentBytes = () => {
  const status = readFileSync(`/proc/${sms.service.process.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
};

/** Of all threads of the service. */
const cpuMs = () => {
  const stat = readFileSync(`/proc/${sms.service.process.pid}/stat`, 'utf8');
  const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
  return (user + system) * 10;
};

test(`${connections} bodies of which half is sent, in chunks, with a token`, async () => {
  const chunked = 'Content-Type: application/json\nTransfer-Encoding: chunked\n\n80000\n';
  const head = `POST /message/demo-sms HTTP/1.1\nHost: x\nAuthorization: Bearer ${sms.token}\n${chunked}`;
  const before = residentBytes();
  await Promise.all(Array.from({ length: connections }, () => sendHalf(head, 512 * 1024)));
  expect((await fetch(`${sms.demo.baseUrl}/healthz`)).status).toBe(200);
  // 500 halves are up to 250 MiB; a team may hold an eighth of that.
  expect(residentBytes() - before).toBeLessThan(160 * mebibyte);
});

describe('one request does not hold up others', () => {
  const list = (item: string, bytes: number) =>
    `[${Array(Math.floor(bytes / (item.length + 1)))
      .fill(item)
      .join(',')}]`;
  const properties = (count: number) =>
    Array.from({ length: count }, (_, index) => `"k${index.toString(36)}":1`).join(',');
  const most = mebibyte - 1_000;
  const json = { authorization: '', 'content-type': 'application/json' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  test.each<[string, string, Record<string, string>, string]>([
    [
      'a form of 1,600 fields',
      '/oauth/token',
      form,
      Array.from({ length: 1_600 }, (_, n) => `${n}=`).join('&'),
    ],
    ['empty items', '/message/demo-sms', json, `{"type":"SendToEach","messages":${list('{}', most)}}`],
    [
      'short texts',
      '/message/demo-sms',
      json,
      `{"type":"SendToMany","message":"x","addresses":${list('"1"', most)}}`,
    ],
    ['unknown properties', '/message/demo-sms', json, `{"type":"SendToMany",${properties(80_000)}}`],
    ['objects beside an escape', '/message/demo-sms', json, `{"a":"\\ud800","b":${list('{}', 400_000)}}`],
    ['a long phone', '/message/demo-sms', json, JSON.stringify(toMany(['0'.repeat(most)]))],
  ])('%s', async (_case, path, headers, body) => {
    const costs: number[] = [];
    // The least of three: code is compiled, and memory freed, in the others.
    for (let run = 0; run < 3; run += 1) {
      const before = cpuMs();
      const authorization = headers === json ? { authorization: `Bearer ${sms.token}` } : {};
      const response = await fetch(sms.demo.baseUrl + path, {
        method: 'POST',
        headers: { ...headers, ...authorization },
        body,
      });
      expect((await response.text()).length).toBeLessThan(1_000);
      expect(response.status).toBe(400);
      costs.push(cpuMs() - before);
    }
    expect(Math.min(...costs)).toBeLessThan(mostCpuMs);
  });
});

test('a team that keeps sending large rejected bodies gets 429 for these; its short ones are accepted', async () => {
  const body = JSON.stringify({ ...toMany(['0711000000']), message: 'x'.repeat(1_000_000) });
  const statuses: number[] = [];
  while (!statuses.includes(429)) statuses.push((await sms.send(body)).status);
  expect(statuses.slice(0, -1).every((status) => status === 400)).toBe(true);
  expect((await sms.send(toMany(phones(100)))).status).toBe(200);
});
