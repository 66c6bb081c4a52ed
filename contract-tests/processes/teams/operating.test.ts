/** The commands of docs/operating.md in order, on an empty machine, up to receipts for an SMS and a bundle. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Stub, startStub } from '../../../src/connectors/http/provider-testing.ts';
import { createFreshDatabase, type FreshUrl } from '../../../src/db/testing.ts';
import { freePort } from '../../../src/free-port-testing.ts';
import { examplesIn } from '../../support/docs/guides.ts';
import { runBlocks } from '../../support/docs/session.ts';
import { missingTools } from '../../support/docs/shell.ts';
import { type Smsc, startSmsc } from '../../support/networks/smsc.ts';
import { type Receiver, startReceiver } from '../../support/service/receiver.ts';
import { processEnvironment } from '../../support/service/service.ts';

if (missingTools.length > 0)
  process.stdout.write(`skipped: ${missingTools.join(', ')} not on this machine\n`);
const withTools = missingTools.length > 0 ? describe.skip : describe;

const examples = examplesIn('docs/operating.md');
const serverUrl = process.env.DATABASE_URL;

let directory: string;
let databases: FreshUrl[] = [];
let smsc: Smsc;
let provider: Stub;
let receiver: Receiver;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tarishi-operating-'));
  if (serverUrl !== undefined)
    databases = [await createFreshDatabase(serverUrl), await createFreshDatabase(serverUrl)];
  smsc = await startSmsc({ answerMs: () => 1, reportMs: () => 5 });
  provider = await startStub(({ method, body, url }) => {
    const asked = new URLSearchParams(url.split('?')[1]).get('externalReference');
    const reference = method === 'POST' ? body.externalReference : asked;
    const answer = { transactionId: 'T-1', externalReference: reference, status: 'SUCCESSFUL' };
    return { status: 200, body: answer };
  });
  receiver = await startReceiver();
});
afterAll(async () => {
  await smsc?.close();
  await provider?.close();
  receiver?.close();
  for (const database of databases) await database.drop();
  rmSync(directory, { recursive: true });
});

/** The files that the commands read. */
function writeFiles(folder: string): void {
  mkdirSync(folder);
  for (const name of ['smsc-password', 'bundles-token', 'bundles-callback'])
    writeFileSync(join(folder, `${name}.txt`), 'canary\n');
  const template = examples.find(({ text }) => text.includes('{{tracking}}'))?.text ?? '';
  writeFileSync(join(folder, 'order-shipped.json'), template);
}

withTools('from an empty machine over an upgrade, a backup and a restore', () => {
  test('an SMS through an SMSC and a bundle through a provider, both with receipts', async () => {
    writeFiles(join(directory, 'tarishi'));
    const port = await freePort();
    const management = await freePort();
    const blocks = examples.filter(({ language }) => language === 'sh');
    const last = blocks.at(-1) as (typeof blocks)[number];
    const untilReceived = { ...last, text: `${last.text}\nuntil [ -e received ]; do sleep 0.1; done` };
    const received = receiver.received('/receipts', 2).then((callbacks) => {
      writeFileSync(join(directory, 'tarishi', 'received'), '');
      return callbacks;
    });
    const [database, restored] = databases;
    const outputs = await runBlocks([...blocks.slice(0, -1), untilReceived], {
      cwd: directory,
      embedded: serverUrl === undefined,
      variables: {
        ...(processEnvironment as Record<string, string>),
        PORT: String(port),
        METRICS_PORT: String(await freePort()),
        MANAGEMENT_PORT: String(management),
        DRAIN_DELAY_MS: '0',
        ALLOW_LOOPBACK_CALLBACKS: 'true',
      },
      instead: [
        ['git clone … /srv/tarishi && cd /srv/tarishi && npm ci --omit=dev', 'cd tarishi'],
        ['createdb tarishi', ':'],
        ['createdb restored', ':'],
        ['/etc/tarishi.env', './tarishi.env'],
        ['postgres://tarishi:…@db.internal/restored', restored?.url ?? ''],
        [
          'DATABASE_URL=postgres://tarishi:…@db.internal/tarishi',
          database === undefined ? '' : `DATABASE_URL=${database.url}`,
        ],
        ['TRUST_PROXY_HOPS=1', 'TRUST_PROXY_HOPS=0'],
        ['203.0.113.0/24', '127.0.0.0/8'],
        ['METRICS_PORT=9465', `METRICS_PORT=${await freePort()}`],
        ['https://sms.example.com', `http://127.0.0.1:${port}`],
        ['http://127.0.0.1:3001', `http://127.0.0.1:${management}`],
        ['smsc.example', '127.0.0.1'],
        ['2775', String(smsc.port)],
        ['https://provider.example', provider.url],
        ['https://acme.example/receipts', receiver.url('/receipts')],
        // The real one is not asked by a test.
        ['--kind whatsapp', '--kind chat-simulator'],
        [
          '--token-file token.txt --app-secret-file app-secret.txt --verify-token-file verify-token.txt',
          '--json',
        ],
      ],
    });
    expect(outputs).toHaveLength(blocks.length);
    const receipts = (await received).map(({ body }) => body);
    expect(receipts).toContainEqual(
      expect.objectContaining({
        type: 'SmsDeliveryReceipt',
        correlator: 'try-sms',
        deliveryStatus: 'Delivered',
      }),
    );
    expect(receipts).toContainEqual(
      expect.objectContaining({
        type: 'DataDeliveryReceipt',
        correlator: 'try-bundle',
        deliveryStatus: 'Delivered',
      }),
    );
    expect(smsc.taken.get('It works')).toBe(1);
  }, 600_000);
});
