/** Two `serve` processes behind a proxy are restarted one after the other, under load: no request fails. */
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../../../src/platform/free-port-testing.ts';
import { sized } from '../../../src/platform/sized-testing.ts';
import { phones, type SmsService, startSms, toMany } from '../../support/requests/sms.ts';
import { startBeside } from '../../support/service/deployment.ts';
import { describeOnPostgres } from '../../support/service/on-postgres.ts';

const restarts = Number(process.env.RESTARTS ?? sized(2, 6));
const perSecond = Number(process.env.RESTART_RATE ?? sized(50, 100));
const onPostgres = describeOnPostgres('one process at a time uses the embedded database');
const hasNginx = (spawnSync('nginx', ['-v']) as SpawnSyncReturns<Buffer>).error === undefined;
if (!hasNginx) process.stderr.write('skipped: nginx is not installed\n');

onPostgres(`${restarts} restarts under ${perSecond} requests per second`, () => {
  const directory = mkdtempSync(join(tmpdir(), 'tarishi-restart-'));
  let sms: SmsService;
  let ports: number[];
  let servers: Awaited<ReturnType<typeof serve>>[];

  const serve = (port: number) =>
    startBeside(sms.service, 'serve', {
      PORT: String(port),
      // As in production: health checks of a busy machine take their time.
      DRAIN_DELAY_MS: '5000',
      RATE_LIMIT_PER_SECOND: '1000000',
      LOG_LEVEL: 'info',
    });

  beforeAll(async () => {
    sms = await startSms({ RATE_LIMIT_PER_SECOND: '1000000' });
    const reference = 'restarts';
    await sms.service.operate('POST /teams/demo/top-ups', { product: 'Sms', units: 1_000_000, reference });
    ports = [await freePort(), await freePort()];
    servers = await Promise.all(ports.map(serve));
  });
  afterAll(async () => {
    for (const server of servers ?? []) await server.kill();
    await sms?.service.dispose();
    rmSync(directory, { recursive: true });
  });

  (hasNginx ? test : test.skip)(
    'no request fails',
    async () => {
      const port = await freePort();
      const file = join(directory, 'nginx.conf');
      writeFileSync(file, configurationOf(port));
      const proxy = spawn('nginx', ['-p', directory, '-e', 'stderr', '-c', file], { stdio: 'ignore' });
      const ended = once(proxy, 'exit');
      try {
        while ((await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status !== 200)
          await delay(100);
        const load = startLoad(port);
        for (let restart = 0; restart < restarts; restart += 1) {
          const index = restart % servers.length;
          await servers[index]?.stop();
          const started = await serve(ports[index] ?? 0);
          servers[index] = started;
          // Until the proxy uses it again.
          while (!started.output().includes('sendSms')) await delay(100);
        }
        const counts = await load.stop();
        expect(counts).toEqual({ 200: expect.any(Number) });
      } finally {
        proxy.kill('SIGTERM');
        await ended;
      }
    },
    240_000,
  );

  /** Sends at a steady rate, whatever the responses; counts them by status or error. */
  function startLoad(port: number) {
    // A connection for each: the proxy closes kept ones at moments of its own.
    const agent = new Agent({ keepAlive: false });
    const counts: Record<string, number> = {};
    const running = new Set<Promise<void>>();
    const body = JSON.stringify(toMany(phones(1)));
    const send = async () => {
      const call = request({
        agent,
        host: '127.0.0.1',
        port,
        method: 'POST',
        path: `/message/${sms.demo.smsServiceId}`,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${sms.token}` },
      });
      call.end(body);
      const outcome = await once(call, 'response').then(
        async ([response]) => {
          for await (const _ of response);
          return String(response.statusCode);
        },
        (error: NodeJS.ErrnoException) => error.code ?? error.message,
      );
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    };
    const startedMs = performance.now();
    let sent = 0;
    const timer = setInterval(() => {
      for (; sent < ((performance.now() - startedMs) / 1000) * perSecond; sent += 1) {
        const one = send().finally(() => running.delete(one));
        running.add(one);
      }
    }, 5);
    return {
      stop: async () => {
        clearInterval(timer);
        await Promise.all(running);
        agent.destroy();
        return counts;
      },
    };
  }

  /** The example without TLS and its limit of connections for one address. */
  function configurationOf(port: number): string {
    const example = readFileSync(new URL('../../../deploy/proxy/nginx.conf', import.meta.url), 'utf8')
      .replace(/server 127\.0\.0\.1:3000 (.*)/, (_, options) =>
        ports.map((one) => `server 127.0.0.1:${one} ${options}`).join('\n'),
      )
      .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
      .replace(/^ *(ssl_|limit_conn ).*$/gm, '');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${directory}/${name};`,
    );
    return `daemon off; master_process off; pid ${directory}/nginx.pid;
events {}
http {
access_log off;
${temporary.join('\n')}
${example}
}
`;
  }
});
