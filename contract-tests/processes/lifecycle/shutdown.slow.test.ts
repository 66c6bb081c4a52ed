/** SIGTERM: requests that were read get responses, nothing else is started, and the process exits with code 0. */
import { once } from 'node:events';
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createRandom } from '../../../src/partner/sandbox/random.ts';
import { sized } from '../../../src/platform/sized-testing.ts';
import { randomRequest } from '../../support/requests/fault-load.ts';
import { call, tokenFor } from '../../support/service/api.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { rowsOf, unbalancedAccounts, withStoredData } from '../../support/service/stored-data.ts';

const trials = Number(process.env.SHUTDOWN_TRIALS ?? sized(1, 3));
const seed = Number(process.env.SEED);
const callers = 16;
const graceMs = 10_000;

const random = createRandom(seed);
let service: Service;
let token = '';

beforeAll(async () => {
  service = await startService({
    RATE_LIMIT_PER_SECOND: '1000000',
    LOG_LEVEL: 'error',
    SHUTDOWN_GRACE_MS: String(graceMs),
  });
  token = await tokenFor(service.demo.baseUrl, service.demo);
});
beforeEach(async () => {
  if (service.process.exitCode !== null) await service.restart();
});
afterAll(() => service?.dispose());

test('a request whose head was read before SIGTERM gets its response, and no new connection is accepted', async () => {
  const sending = request(messagePath(), options(new Agent(), { expect: '100-continue' }));
  sending.flushHeaders();
  await once(sending, 'continue');
  const stopped = service.stop();
  await refusal();
  sending.end(JSON.stringify(randomRequest(random, { correlator: 'held' }).body));
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close']);
  expect(JSON.parse(await textOf(answer)).result.requestId).toBeDefined();
  expect(await stopped).toBe(0);
});

test('a client that never finishes its request does not keep the service from ending', async () => {
  const sending = request(messagePath(), options(new Agent(), { expect: '100-continue' }));
  sending.flushHeaders();
  await once(sending, 'continue');
  const broken = once(sending, 'error');
  expect(await service.stop()).toBe(0);
  await broken;
});

test('before it stops listening /readyz returns 503, while requests are still served', async () => {
  await service.stop();
  // Long enough to be looked at on a slow machine.
  service.environment.DRAIN_DELAY_MS = '6000';
  await service.restart();
  delete service.environment.DRAIN_DELAY_MS;
  const { baseUrl, smsServiceId } = service.demo;
  const read = (path: string) => call(baseUrl, path, { method: 'GET' });
  const stopped = service.stop();
  let readiness = await read('/readyz');
  while (readiness.status === 200) readiness = await read('/readyz');
  expect([readiness.status, readiness.body]).toEqual([503, { status: 'unavailable', reason: 'stopping' }]);

  // On the connections there are: a proxy that had to open new ones could be too late for the last.
  const { body } = randomRequest(random, { correlator: 'drained' });
  const sent = await call(baseUrl, `/message/${smsServiceId}`, { token, body });
  expect([sent.status, sent.headers.get('connection')]).toEqual([200, 'keep-alive']);
  expect((await read('/healthz')).status).toBe(200);
  expect(await stopped).toBe(0);
  await expect(read('/readyz')).rejects.toThrow('fetch failed');
});

test(`SEED=${seed}: ${trials} SIGTERMs under load answer all that was read`, async () => {
  for (let trial = 0; trial < trials; trial += 1) {
    const answered = await loadUntilStopped(trial);
    await withStoredData(service, async (knex) => {
      const stored = await rowsOf<{ correlator: string }>(
        knex,
        `select correlator from requests where correlator like 'trial-${trial}-%'`,
      );
      expect(stored.map(({ correlator }) => correlator).sort()).toEqual(answered.sort());
      expect(await unbalancedAccounts(knex)).toEqual([]);
      expect(
        await rowsOf(knex, "select id from jobs where queue in ('deliver', 'report') and claimed"),
      ).toEqual([]);
    });
    await service.restart();
  }
});

/** Callers send until they are rejected; the service is stopped meanwhile. Returns the accepted requests. */
async function loadUntilStopped(trial: number): Promise<string[]> {
  const answered: string[] = [];
  let left = 20 + Math.floor(random() * 200);
  let exitCode: Promise<number | null> | undefined;
  const caller = async (name: string) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let index = 0; ; index += 1) {
      const correlator = `trial-${trial}-${name}-${index}`;
      const status = await post(agent, correlator);
      // A connection that was closed while it was idle, or none at all: nothing of it may be stored.
      if (status === undefined) break;
      expect(status).toBe(200);
      answered.push(correlator);
      left -= 1;
      if (left <= 0) exitCode ??= service.stop();
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: callers }, (_, index) => caller(`caller-${index}`)));
  expect(exitCode).toBeDefined();
  expect(await exitCode).toBe(0);
  return answered;
}

/** The status; undefined if the connection failed before a response began. */
async function post(agent: Agent, correlator: string): Promise<number | undefined> {
  const sending = request(messagePath(), options(agent));
  sending.end(JSON.stringify(randomRequest(random, { correlator }).body));
  const answer = await once(sending, 'response').then(
    ([response]) => response as IncomingMessage,
    () => undefined,
  );
  if (answer === undefined) return undefined;
  await textOf(answer);
  return answer.statusCode;
}

/** Resolves once the service accepts no connections. */
async function refusal(): Promise<void> {
  for (;;) {
    const probe = request(`${service.demo.baseUrl}/readyz`, { agent: new Agent() });
    probe.end();
    try {
      const [answer] = (await once(probe, 'response')) as [IncomingMessage];
      await textOf(answer);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return;
    }
  }
}

function messagePath(): string {
  return `${service.demo.baseUrl}/message/${service.demo.smsServiceId}`;
}

function options(agent: Agent, headers: Record<string, string> = {}): RequestOptions {
  return {
    agent,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
  };
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const bytes of answer) text += bytes;
  return text;
}
