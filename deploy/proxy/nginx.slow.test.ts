/** The nginx examples in front of a running service: TLS, the caller's address, large bodies, the console. */
import { execFileSync, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type SmsService, startSms, toMany } from '../../contract-tests/support/requests/sms.ts';
import { freePort } from '../../src/platform/free-port-testing.ts';

const found = (command: string): boolean =>
  (spawnSync(command, ['-v']) as SpawnSyncReturns<Buffer>).error === undefined;
const installed = found('nginx') && found('openssl');
if (!installed) process.stderr.write('skipped: nginx or openssl is not installed\n');

(installed ? describe : describe.skip)('nginx', () => {
  let directory: string;
  let sms: SmsService;
  let port: number;
  let stopNginx: () => Promise<void>;
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'tarishi-nginx-'));
    port = await freePort();
    sms = await startSms({ TRUST_PROXY_HOPS: '1', CONSOLE_URL: `https://console.example.com:${port}` });
    stopNginx = await startNginx(directory, port, {
      upstreams: [new URL(sms.demo.baseUrl).host],
      console: new URL(sms.demo.managementUrl ?? '').host,
    });
  });

  afterAll(async () => {
    agent.destroy();
    await stopNginx?.();
    await sms?.service.dispose();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Asks nginx over TLS, for the public API or for the console by its name. */
  async function ask(
    path: string,
    { host, body, headers }: { host: string; body: string | undefined; headers: Record<string, string> },
  ) {
    const call = request({
      host: '127.0.0.1',
      port,
      path,
      method: body === undefined ? 'GET' : 'POST',
      agent,
      servername: host,
      ca: readFileSync(join(directory, 'fullchain.pem')),
      headers: { host: `${host}:${port}`, ...headers },
    });
    call.end(body);
    const [response] = await once(call, 'response');
    let text = '';
    for await (const bytes of response) text += bytes;
    return { status: response.statusCode as number, headers: response.headers, text };
  }

  /** An SMS, as the demo client unless another token is named. */
  const post = (body: string, headers: Record<string, string> = {}) =>
    ask(`/message/${sms.demo.smsServiceId}`, {
      host: 'sms.example.com',
      body,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${sms.token}`, ...headers },
    });

  /** A page of the console, as a browser asks for it. */
  const page = (path: string, form?: URLSearchParams) =>
    ask(path, {
      host: 'console.example.com',
      body: form?.toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    });

  test('people sign in to the console over TLS; the demo and the management API stay on the machine', async () => {
    const { text } = await page('/console/sign-in');
    expect(text).toContain('Access key');
    expect(text).not.toContain('Open the demo');
    const form = new URLSearchParams({ accessKey: sms.demo.accessKey ?? '' });
    const { status, headers } = await page('/console/sign-in', form);
    expect([status, headers.location]).toEqual([303, '/console/']);
    expect(headers['set-cookie']).toEqual([expect.stringMatching(/^__Host-tarishi-console=.*; Secure;/)]);
    expect((await page('/management/teams')).status).toBe(404);
  });

  test('passes requests on over TLS, many on few connections', async () => {
    const body = JSON.stringify(toMany(['+254711000000']));
    const responses = await Promise.all(Array.from({ length: 40 }, () => post(body)));
    expect(responses.map(({ status }) => status)).toEqual(Array(40).fill(200));
    expect(responses[0]?.headers['strict-transport-security']).toBe('max-age=31536000');
  });

  test('the caller has the address that nginx saw, whatever the client claims', async () => {
    const headers = { authorization: 'Bearer wrong', 'x-forwarded-for': '203.0.113.9' };
    expect((await post('{}', headers)).status).toBe(401);
    const refused = () =>
      sms.service
        .output()
        .split('\n')
        .find((line) => line.includes('"status":401'));
    while (refused() === undefined) await once(sms.service.process.stdout ?? agent, 'data');
    expect(JSON.parse(refused() ?? '{}')).toMatchObject({ address: '127.0.0.1' });
  });

  test('bodies up to the limit of networks reach the service, which checks them', async () => {
    const { status, headers, text } = await post(JSON.stringify(toMany([], 'x'.repeat(3 * 1024 * 1024))));
    const type = headers['content-type'];
    expect({ status, type }).toEqual({ status: 400, type: expect.stringContaining('application/json') });
    expect(JSON.parse(text)).toMatchObject({ desc: 'The request body is larger than 1048576 bytes.' });
  });
});

/** Runs the example with another port, certificate and upstream, and without rights. */
async function startNginx(
  directory: string,
  port: number,
  { upstreams, console }: { upstreams: readonly string[]; console: string },
): Promise<() => Promise<void>> {
  const certificate = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=sms.example.com
    -addext subjectAltName=DNS:sms.example.com,DNS:console.example.com
    -keyout ${directory}/privkey.pem -out ${directory}/fullchain.pem`;
  execFileSync('openssl', certificate.split(/\s+/), { stdio: 'ignore' });
  const example = ['nginx.conf', 'console.conf']
    .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
    .join('\n')
    .replace(/server 127\.0\.0\.1:3000 (.*)/, (_, options) =>
      upstreams.map((upstream) => `server ${upstream} ${options}`).join('\n'),
    )
    .replace('127.0.0.1:3001', console)
    .replaceAll('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replaceAll('/etc/ssl/tarishi', directory);
  mkdirSync(join(directory, 'temporary'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${directory}/temporary/${name};`)
    .join('\n');
  writeFileSync(
    join(directory, 'main.conf'),
    `daemon off; master_process off; pid ${directory}/nginx.pid; error_log stderr notice;
events {}
http {
access_log off;
${temporary}
${example}
}
`,
  );
  const nginx = spawn('nginx', ['-p', directory, '-e', 'stderr', '-c', join(directory, 'main.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(nginx, 'exit');
  let log = '';
  await new Promise<void>((resolve, reject) => {
    nginx.stderr.on('data', (bytes) => {
      log += bytes;
      // Written once it listens.
      if (/using the "\w+" event method[\s\S]*OS: /.test(log)) resolve();
    });
    nginx.once('exit', () => reject(new Error(`nginx ended: ${log}`)));
  });
  return async () => {
    nginx.kill('SIGTERM');
    await ended;
  };
}
