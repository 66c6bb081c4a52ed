/** The receivers of the guide on receipts, in each language: they accept our receipts and reject all others. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { freePort } from '../../src/platform/free-port-testing.ts';
import { examplesOf } from '../support/docs/guides.ts';
import { call, tokenFor } from '../support/service/api.ts';
import { type SharedService, sharedService } from '../support/shared/service.ts';

/** How to run each of them; `version` tells whether the machine can. */
const languages = [
  { language: 'ts', command: () => [process.execPath, 'receiver.ts'], version: '--version' },
  { language: 'python', command: () => ['python3', 'receiver.py'], version: '--version' },
  { language: 'go', command: () => ['go', 'run', 'receiver.go'], version: 'version' },
  {
    language: 'php',
    command: (port: number) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
    version: '--version',
  },
  { language: 'java', command: () => ['java', 'Receiver.java'], version: '--version' },
];
/** Compilers take their time on a busy machine. */
const startLimitMs = 150_000;

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

describe.each(languages)('$language', ({ language, command, version }) => {
  const [program = ''] = command(0);
  if (spawnSync(program, [version]).status !== 0) {
    process.stdout.write(`skipped: ${program} is not on this machine\n`);
    test.skip('is not installed on this machine', () => {});
    return;
  }

  let receiver: Receiver;
  const body = JSON.stringify({ type: 'SmsDeliveryReceipt', correlator: 'Ñandú 1' });
  const post = (headers: Record<string, string>, sent = body) =>
    fetch(receiver.url, { method: 'POST', headers, body: sent }).then(({ status }) => status);

  beforeAll(async () => {
    receiver = startReceiver(language, command, await freePort(), service.demo.signingSecret);
    const answers = () =>
      post({}).then(
        () => true,
        () => false,
      );
    await until(answers, receiver);
  }, startLimitMs);
  afterAll(() => receiver.stop());

  test('accepts signed receipts, also during a rotation of secrets', async () => {
    const headers = signed(service.demo.signingSecret, new Date(), body);
    expect(await post(headers)).toBe(204);
    const other = signed(`whsec_${btoa('another secret, of another client')}`, new Date(), body);
    const both = `${other['webhook-signature']} ${headers['webhook-signature']}`;
    expect(await post({ ...headers, 'webhook-signature': both })).toBe(204);
  });

  test('rejects another secret, another body, an old attempt and a missing signature', async () => {
    const { signingSecret } = service.demo;
    const now = signed(signingSecret, new Date(), body);
    const refused = [
      await post(signed(`whsec_${btoa('another secret, of another client')}`, new Date(), body)),
      await post(now, body.replace('1', '2')),
      await post({ ...now, 'webhook-id': 'another' }),
      await post(signed(signingSecret, new Date(Date.now() - 360_000), body)),
      await post(signed(signingSecret, new Date(Date.now() + 360_000), body)),
      await post({ 'webhook-id': 'x', 'webhook-timestamp': 'soon', 'webhook-signature': 'v1,' }),
      await post({}),
    ];
    expect(refused).toEqual(refused.map(() => 400));
  });

  test('prints the receipt of a message', async () => {
    const { baseUrl, smsServiceId } = service.demo;
    const answer = await call(baseUrl, `/message/${smsServiceId}`, {
      token: await tokenFor(baseUrl, service.demo),
      body: {
        type: 'SendToMany',
        addresses: ['+254711000002'],
        message: 'Habari',
        receiptRequest: { correlator: `for ${language}`, callbackUrl: receiver.url },
      },
    });
    expect(answer.status).toBe(200);
    const { requestId } = answer.body.result;
    await until(() => receiver.output().includes(requestId), receiver);
    const [line = ''] = receiver
      .output()
      .split('\n')
      .filter((one) => one.includes(requestId));
    expect(JSON.parse(line.slice(line.indexOf('{')))).toMatchObject({
      correlator: `for ${language}`,
      phone: '+254711000002',
      deliveryStatus: 'AbsentSubscriber',
    });
  });
});

type Receiver = ReturnType<typeof startReceiver>;

function startReceiver(language: string, command: (port: number) => string[], port: number, secret: string) {
  const example = examplesOf('receipts').find((one) => one.language === language);
  const folder = mkdtempSync(join(tmpdir(), 'tarishi-receiver-'));
  symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'));
  writeFileSync(join(folder, example?.attributes.file ?? ''), example?.text ?? '');

  const [program = '', ...args] = command(port);
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, PORT: String(port), TARISHI_SIGNING_SECRET: secret },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, because `go run` starts another process.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes) => {
      output += bytes;
    });
  return {
    url: `http://127.0.0.1:${port}/`,
    process: child,
    output: () => output,
    stop: () => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function until(
  isSo: () => boolean | Promise<boolean>,
  { output, process: child }: Receiver,
): Promise<void> {
  const deadline = Date.now() + startLimitMs;
  while (!(await isSo())) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`in vain:\n${output()}`);
    await delay(50);
  }
}

function signed(secret: string, at: Date, body: string): Record<string, string> {
  return {
    'webhook-id': 'a-receipt',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('a-receipt', at, body),
  };
}
