/** How fast sendSms accepts on the embedded database, beside a bare Koa route in the same run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { metric } from '../contract-tests/metrics.ts';
import { type Service, startService } from '../contract-tests/service.ts';
import { openDatabase } from '../src/db/knex.ts';
import { type LoadResult, runLoad } from './load.ts';
import { mainProfile, roomsOf } from './profile.ts';

const seconds = Number(process.env.BENCH_SECONDS ?? 8);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const connections = 32;

export async function benchSendSms(print: (line: string) => void): Promise<void> {
  const profiles = mkdtempSync(join(tmpdir(), 'tarishi-profile-'));
  const service = await startService({
    RATE_LIMIT_PER_SECOND: '1000000',
    LOG_LEVEL: 'info',
    CHECKED_ANSWERS: '0.01',
  });
  const bare = await startBareKoa();
  try {
    await topUp(service, 1_000_000_000);
    const one = bodyFor(1);
    const hundred = bodyFor(100);
    const send = async (body: string) =>
      runLoad({
        baseUrl: service.demo.baseUrl,
        path: `/message/${service.demo.smsServiceId}`,
        headers: { authorization: `Bearer ${await token(service)}` },
        body,
        connections,
        seconds,
      });
    const bareLoad = (body: string) =>
      runLoad({ baseUrl: bare.url, path: '/', headers: {}, body, connections, seconds });

    print(
      `${connections} connections, ${seconds} s a measurement, ${rounds} rounds in turn, embedded database`,
    );
    await send(one);
    await bareLoad(one);
    await drained(service);
    const results: { bare: LoadResult; one: LoadResult; hundred: LoadResult }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const result = { bare: await bareLoad(one), one: await send(one), hundred: await send(hundred) };
      await drained(service);
      results.push(result);
      print(`round ${round + 1}`);
      print(`  bare Koa route          ${line(result.bare)}`);
      print(`  sendSms, 1 recipient    ${line(result.one)}`);
      print(`  sendSms, 100 recipients ${line(result.hundred)}`);
    }
    const ratios = results.map((r) => r.one.requestsPerSecond / r.bare.requestsPerSecond);
    print(`sendSms with 1 recipient / bare Koa: ${median(ratios).toFixed(2)} (median of ${rounds})`);
    const messages = results.map((r) => r.hundred.requestsPerSecond * 100);
    print(`100 recipients a request: ${Math.round(median(messages))} messages/s accepted (median)`);

    await profileOnce(service, profiles, () => send(one), print);
  } finally {
    bare.process.kill();
    await service.dispose();
    rmSync(profiles, { recursive: true, force: true });
  }
}

/** One more measurement with the profiler on, which slows it: only its shares mean something. */
async function profileOnce(
  service: Service,
  directory: string,
  load: () => Promise<LoadResult>,
  print: (line: string) => void,
): Promise<void> {
  await service.stop();
  service.environment.NODE_OPTIONS = `--cpu-prof --cpu-prof-dir=${directory}`;
  await service.restart();
  await load();
  await service.stop();
  print('where the main thread spends its time (PGlite has a thread of its own):');
  for (const [room, share] of roomsOf(mainProfile(directory)).slice(0, 16))
    print(`  ${(share * 100).toFixed(1).padStart(5)} %  ${room}`);
}

function bodyFor(recipients: number): string {
  const addresses = Array.from(
    { length: recipients },
    (_, index) => `+2547110${String(index).padStart(5, '0')}`,
  );
  return JSON.stringify({ type: 'SendToMany', addresses, message: 'Habari kutoka Tarishi' });
}

function line({ requestsPerSecond, p50, p99, statuses }: LoadResult): string {
  const rate = `${Math.round(requestsPerSecond)}`.padStart(6);
  return `${rate} requests/s  p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms  ${JSON.stringify(statuses)}`;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Waits until what earlier measurements queued has been delivered, so that it does not slow the next one. */
async function drained({ metricsUrl }: Service): Promise<void> {
  for (;;) {
    if ((await metric(metricsUrl, 'tarishi_delivery_jobs_open')) === 0) return;
    await delay(1_000);
  }
}

async function token({ demo }: Service): Promise<string> {
  const answer = await fetch(`${demo.baseUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: demo.clientId,
      client_secret: demo.clientSecret,
    }),
  });
  const body = (await answer.json()) as { access_token: string };
  return body.access_token;
}

/** Demo balances are small; the ledger takes a top-up while the service is down. */
async function topUp(service: Service, units: number): Promise<void> {
  await service.stop();
  const database = await openDatabase(
    { databaseUrl: service.databaseUrl, dataDirectory: service.dataDirectory, poolSize: 2 },
    pino({ level: 'silent' }),
    (error) => {
      throw error;
    },
  );
  await database.knex.raw(
    `with account as (
       update accounts set balance = balance + :units where team_id = 'demo' and product = 'sms' returning id
     ) insert into ledger_entries (account_id, units, reason) select id, :units, 'TopUp' from account`,
    { units },
  );
  await database.close();
  await service.restart();
}

async function startBareKoa(): Promise<{ url: string; process: ChildProcess }> {
  const child = spawn(process.execPath, ['bench/bare-koa.ts'], {
    cwd: new URL('..', import.meta.url),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [bytes] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: bytes.toString().trim(), process: child };
}
