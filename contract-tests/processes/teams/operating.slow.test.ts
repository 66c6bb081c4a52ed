/** The commands of docs/operate in order, on an empty machine, up to receipts for an SMS and a bundle. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Stub, startStub } from '../../../src/connectors/http/provider-testing.ts';
import { createFreshDatabase, type FreshUrl } from '../../../src/platform/db/testing.ts';
import { freePort } from '../../../src/platform/free-port-testing.ts';
import { type Example, examplesIn } from '../../support/docs/guides.ts';
import { runBlocks } from '../../support/docs/session.ts';
import { missingTools } from '../../support/docs/shell.ts';
import { type Smsc, startSmsc } from '../../support/networks/smsc.ts';
import { processEnvironment } from '../../support/service/process.ts';
import { type Receiver, startReceiver } from '../../support/service/receiver.ts';

if (missingTools.length > 0)
  process.stdout.write(`skipped: ${missingTools.join(', ')} not on this machine\n`);
const withTools = missingTools.length > 0 ? describe.skip : describe;

/** As a reader needs them who starts with nothing. */
const order = [
  'deploy',
  'failover',
  'teams',
  'chat-app',
  'clients',
  'manage',
  'secrets',
  'backup',
  'monitoring',
  'troubleshooting',
  'opt-outs',
  'upgrades',
  'check',
];
const examples = order.flatMap((page) => examplesIn(`docs/operate/${page}.md`));
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
  writeFileSync(join(folder, 'registry.csv'), '+254711000007\n+254711000008\n');
}

/** Files by which the test and the shell wait for each other. */
function signsIn(folder: string, signal: AbortSignal) {
  const has = (name: string) => existsSync(join(folder, name));
  return {
    signal,
    has,
    give: (name: string) => writeFileSync(join(folder, name), ''),
    given: async (name: string) => {
      while (!has(name)) await delay(20, undefined, { signal });
    },
  };
}
type Signs = ReturnType<typeof signsIn>;

const waitFor = (sign: string) => `until [ -e ${sign} ]; do sleep 0.1; done`;

const calling = (text: string): Example => ({ language: 'sh', attributes: { run: 'call' }, text });

/** Sends an SMS whose receipt fails, and waits until that is stored. */
const sendBefore = () =>
  calling(`SENT=$(curl -s https://sms.example.com/message/acme-sms -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{"type":"SendToMany","addresses":["+254711000001"],"message":"Before the backup",
       "receiptRequest":{"correlator":"before","callbackUrl":"${receiver.url('/before')}"}}' |
  sed 's/.*"requestId":"\\([^"]*\\)".*/\\1/')
until curl -s "https://sms.example.com/receipts?requestId=$SENT" -H "Authorization: Bearer $TOKEN" |
  grep -q '"status":503'; do sleep 0.1; done`);

const findAfter = calling(`echo "$SENT"
curl -s "https://sms.example.com/messages?phone=%2B254711000001" -H "Authorization: Bearer $TOKEN"
${waitFor('receipted')}`);

/** What would be lost without the backup is removed before it is restored. */
const loseDatabase: [string, string] = [
  'createdb restored',
  `touch lost; psql -q -d "$DATABASE_URL" -c 'drop schema public cascade'`,
];
const loseDirectory: [string, string] = ['rm -r data', 'touch lost; rm -r data'];

/** The endpoint works again only once the backup is restored. */
async function receiptAfterRestore(signs: Signs): Promise<void> {
  receiver.replies.set('/before', () => ({ status: signs.has('lost') ? 200 : 503 }));
  await signs.given('lost');
  await receiver.received('/before', receiver.on('/before').length + 1);
  signs.give('receipted');
}

test('every page of docs/operate is read', () => {
  const pages = readdirSync(new URL('../../../docs/operate', import.meta.url));
  expect(pages.sort()).toEqual(order.map((page) => `${page}.md`).sort());
});

withTools('from an empty machine over an upgrade, a backup and a restore', () => {
  test('an SMS through an SMSC and a bundle through a provider, both with receipts', async () => {
    const folder = join(directory, 'tarishi');
    writeFiles(folder);
    const ended = new AbortController();
    const signs = signsIn(folder, ended.signal);
    const port = await freePort();
    const management = await freePort();
    const blocks = examples.filter(({ language }) => language === 'sh');
    const last = blocks.at(-1) as Example;
    const untilReceived = { ...last, text: `${last.text}\n${waitFor('received')}` };
    const received = receiver.received('/receipts', 2).then((callbacks) => {
      signs.give('received');
      return callbacks;
    });
    const backup = blocks.findIndex(({ text }) => text.startsWith('pg_dump'));
    const restore = blocks.findIndex(({ text }) => text.startsWith('cp -a data backup'));
    const all = [
      ...blocks.slice(0, backup),
      sendBefore(),
      ...blocks.slice(backup, restore + 1),
      findAfter,
      ...blocks.slice(restore + 1, -1),
      untilReceived,
    ];
    const [database, restored] = databases;
    const meanwhile = receiptAfterRestore(signs);
    const running = runBlocks(all, {
      cwd: directory,
      embedded: serverUrl === undefined,
      variables: {
        ...(processEnvironment as Record<string, string>),
        PORT: String(port),
        METRICS_PORT: String(await freePort()),
        MANAGEMENT_PORT: String(management),
        DRAIN_DELAY_MS: '0',
        // Attempts before the backup must not make the one after it wait.
        RECEIPT_SCHEDULE_SECONDS: Array.from({ length: 60 }, () => 1).join(','),
        ALLOW_LOOPBACK_CALLBACKS: 'true',
      },
      instead: [
        ['git clone … /srv/tarishi && cd /srv/tarishi && npm ci --omit=dev', 'cd tarishi'],
        ['createdb tarishi', ':'],
        // A backup is older than the 30 s for which what processes said of their connectors counts.
        ['pg_dump -Fc', 'pg_dump -Fc --exclude-table-data=connector_states'],
        loseDatabase,
        loseDirectory,
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
    }).finally(() => ended.abort());
    const [outputs] = await Promise.all([running, meanwhile]);
    expect(outputs).toHaveLength(all.length);
    const [requestId, found = ''] = (outputs[all.indexOf(findAfter)] ?? '').split('\n');
    expect(JSON.parse(found).items).toMatchObject([{ requestId, state: 'Delivered' }]);
    const tries = receiver.on('/before');
    expect(new Set(tries.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const said = all.flatMap(({ text }, place) =>
      text.includes('npx tarishi migrate') ? [outputs[place]] : [],
    );
    expect(said).toEqual([
      expect.stringContaining('"msg":"tables created or updated"'),
      expect.stringContaining('"msg":"tables are up to date"'),
    ]);
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
  }, 1_800_000);
});
