/** More requests than the service can handle: the excess is rejected, memory stays bounded, and it recovers. */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sized } from '../../../src/platform/sized-testing.ts';
import { phones, type SmsService, startSms, toMany } from '../../support/requests/sms.ts';
import { rowsOf, topUp, unbalancedAccounts, withStoredData } from '../../support/service/stored-data.ts';

const connections = Number(process.env.OVERLOAD_CONNECTIONS ?? 200);
const seconds = Number(process.env.OVERLOAD_SECONDS ?? sized(2, 6));
const mostMegabytes = 500;
const patienceMs = 30_000;

let sms: SmsService;

beforeAll(async () => {
  // So early that this test need not bring as many clients as would truly be too many.
  sms = await startSms(
    { OVERLOADED_AFTER_MS: '5', RATE_LIMIT_PER_SECOND: '1000000', LOG_LEVEL: 'error' },
    ({ knex, demo }) => topUp(knex, demo.clientId, 100_000_000),
  );
});
afterAll(() => sms?.service.dispose());

interface Answered {
  status: number;
  retryAfter: string | undefined;
  text: string;
}

test(
  `429 The service is overloaded. Try again later. — ${connections} clients that never rest, ${seconds} s`,
  async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    const untilMs = Date.now() + seconds * 1_000;
    const answers: Answered[] = [];
    let megabytes = 0;
    // On a busy machine the clients may take long to be too many.
    const isRefused = () => answers.some(({ status }) => status !== 200);
    const client = async () => {
      while (Date.now() < untilMs || (!isRefused() && Date.now() < untilMs + patienceMs))
        answers.push(await post(agent));
    };
    const watch = setInterval(() => {
      megabytes = Math.max(megabytes, residentMegabytes());
    }, 100);
    await Promise.all(Array.from({ length: connections }, client));
    clearInterval(watch);
    agent.destroy();

    const accepted = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(accepted.length).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(0);
    const sentence = JSON.stringify({
      error: 'rate_limit_exceeded',
      error_description: 'The service is overloaded. Try again later.',
    });
    expect(new Set(refused.map((one) => JSON.stringify(one)))).toEqual(
      new Set([JSON.stringify({ status: 429, retryAfter: '2', text: sentence })]),
    );
    expect(megabytes).toBeLessThan(mostMegabytes);

    // Nobody waits any more.
    expect((await sms.send(toMany(phones(1)))).status).toBe(200);
    await sms.service.stop();
    await withStoredData(sms.service, async (knex) => {
      expect(await rowsOf(knex, 'select count(*)::integer as requests from requests')).toEqual([
        { requests: accepted.length + 1 },
      ]);
      expect(await unbalancedAccounts(knex)).toEqual([]);
    });
  },
  60_000 + seconds * 2_000,
);

const body = JSON.stringify(toMany(phones(20)));

function post(agent: Agent): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sending = request(`${sms.demo.baseUrl}/message/${sms.demo.smsServiceId}`, {
      agent,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${sms.token}` },
    });
    sending.once('error', reject);
    sending.once('response', (answer) => {
      let text = '';
      answer.on('data', (bytes) => {
        text += bytes;
      });
      answer.once('end', () =>
        resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'], text }),
      );
    });
    sending.end(body);
  });
}

/** 0 where the system has no /proc. */
function residentMegabytes(): number {
  try {
    const status = readFileSync(`/proc/${sms.service.process.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  } catch {
    return 0;
  }
}
