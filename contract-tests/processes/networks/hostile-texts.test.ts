/** Hostile text from a network or a client holds nobody up: /healthz responds as fast as on an idle service. */
import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { systemTimers } from '../../../src/connectors/smpp/session/timers.ts';
import { shortMessage } from '../../../src/connectors/smpp/testing.ts';
import { createFramer, decodePdu, encodePdu } from '../../../src/connectors/smpp/wire/pdu.ts';
import { listenAsSmsc, type Smsc } from '../../../src/partner/sandbox/smsc/smsc.ts';
import { addSafaricomConnector } from '../../support/prepared/connectors.ts';
import { type SmsService, startSms } from '../../support/requests/sms.ts';

/** How much longer than the slowest response before one may take. */
const marginMs = 50;
/** The machine may be busy with something else for a moment, but not each time. */
const tries = 5;
const probes = 20;

let smsc: Smsc;
let sms: SmsService;
let socket: Socket | undefined;
/** Called with each response that the service sends to the SMSC. */
let onResponse = () => {};

beforeAll(async () => {
  smsc = await listenAsSmsc({
    host: '127.0.0.1',
    port: 0,
    timers: systemTimers,
    logger: pino({ level: 'silent' }),
    admit: () => 0,
    answer: async () => ({ status: 0 }),
    onConnection: (connection) => {
      socket = connection;
      connection.on(
        'data',
        createFramer((octets) => {
          if (decodePdu(octets).command === 'deliver_sm_resp') onResponse();
        }),
      );
    },
  });
  const settings = { host: '127.0.0.1', port: smsc.port, systemId: 'tarishi' };
  sms = await startSms({ LOG_LEVEL: 'error' }, (prepared) =>
    addSafaricomConnector(prepared, { name: 'smsc', kind: 'smpp', settings }),
  );
  await bound();
}, 180_000);
afterAll(async () => {
  await sms?.service.dispose();
  await smsc?.close();
});

test.each([
  ['a deliver_sm that begins many reports', () => deliver('id:'.repeat(21_000))],
  ['one of many report fields', () => deliver('id:x stat: '.repeat(5_900))],
  ['one of one long word', () => deliver(`id:${'0'.repeat(64_900)}`)],
  ['one of white space', () => deliver(' '.repeat(65_000))],
  ['a body that is not JSON', () => post('[{"a":'.repeat(10_000))],
  ['a deeply nested body', () => post('['.repeat(64_000))],
  ['a text with a thousand placeholders', () => post(JSON.stringify({ message: '{{a}}'.repeat(12_000) }))],
])('%s', async (_name, attack) => {
  const excesses: number[] = [];
  for (let attempt = 0; attempt < tries && !excesses.some((ms) => ms < marginMs); attempt += 1) {
    const quietMs = await slowestProbe(Promise.resolve());
    excesses.push((await slowestProbe(attack())) - quietMs);
  }
  expect(Math.min(...excesses)).toBeLessThan(marginMs);
});

/** The slowest of a series of requests, which continues at least until `meanwhile` resolves. */
async function slowestProbe(meanwhile: Promise<unknown>): Promise<number> {
  let done = false;
  const end = meanwhile.finally(() => {
    done = true;
  });
  let slowestMs = 0;
  for (let probe = 0; probe < probes || !done; probe += 1) {
    const startMs = performance.now();
    await (await fetch(`${sms.demo.baseUrl}/healthz`)).text();
    slowestMs = Math.max(slowestMs, performance.now() - startMs);
  }
  await end;
  return slowestMs;
}

/** From a phone, not marked as a report; resolves when the service has acknowledged it. */
function deliver(text: string): Promise<void> {
  const tlvs = [{ tag: 0x0424, value: Buffer.from(text) }];
  const message = { ...shortMessage({ text: Buffer.alloc(0), tlvs }), sequence: 1_000_000 };
  return new Promise((resolve) => {
    onResponse = resolve;
    socket?.write(encodePdu({ ...message, command: 'deliver_sm' }));
  });
}

async function post(body: string): Promise<void> {
  await sms.send(body);
}

/** Until the service takes deliver_sm: before that it answers with an error, or not at all. */
async function bound(): Promise<void> {
  const deadlineMs = performance.now() + 60_000;
  while (performance.now() < deadlineMs) {
    const wait = new Promise((resolve) => setTimeout(resolve, 200, 'later'));
    if (socket !== undefined && (await Promise.race([deliver('hello'), wait])) !== 'later') return;
    await wait;
  }
  throw new Error('the service did not bind to the SMSC');
}
