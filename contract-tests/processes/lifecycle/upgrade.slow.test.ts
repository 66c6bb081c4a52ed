/** An upgrade under load: the next version changes every table, none of them empty, while two processes of this version still run, then takes over. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type SmsService, startSms, toMany } from '../../support/requests/sms.ts';
import { type Beside, startBeside } from '../../support/service/deployment.ts';
import { fillEmptyTables } from '../../support/service/filled-tables.ts';
import { describeOnPostgres } from '../../support/service/on-postgres.ts';
import { processEnvironment } from '../../support/service/process.ts';
import { type Receiver, startReceiver } from '../../support/service/receiver.ts';
import { rowsOf, unbalancedAccounts, withStoredData } from '../../support/service/stored-data.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const settings = {
  RATE_LIMIT_PER_SECOND: '1000000',
  ALLOW_LOOPBACK_CALLBACKS: 'true',
  DRAIN_DELAY_MS: '500',
};
const clients = 4;

describeOnPostgres('one process at a time uses the embedded database')('an upgrade under load', () => {
  const next = mkdtempSync(join(tmpdir(), 'tarishi-next-'));
  let sms: SmsService;
  let receiver: Receiver;
  const started: Beside[] = [];

  beforeAll(async () => {
    receiver = await startReceiver();
    sms = await startSms(settings);
    await sms.service.operate('POST /teams/demo/top-ups', {
      product: 'Sms',
      units: 1_000_000,
      reference: 'load',
    });
    writeNextVersion(next);
  });
  afterAll(async () => {
    for (const one of started) await one.kill();
    await sms?.service.dispose();
    receiver?.close();
    rmSync(next, { recursive: true });
  });

  test('nothing is lost or sent twice, and clients see no error but 503 with Retry-After', async () => {
    const { service } = sms;
    const start = async (command: 'serve' | 'work', folder?: string) => {
      const one = await startBeside(service, command, settings, folder);
      started.push(one);
      return one;
    };
    const old = await start('serve');
    const load = startLoad([service.demo.baseUrl, old.baseUrl]);
    await load.until(50);

    await withStoredData(service, fillEmptyTables);
    const env = { ...processEnvironment, DATABASE_URL: service.databaseUrl, DATA_DIR: service.dataDirectory };
    expect(await migrateTo(next, env)).toContain('9999_next');
    await load.until(50);

    const served = await start('serve', next);
    await start('work', next);
    load.servers.push(served.baseUrl);
    await load.until(50);

    for (const [baseUrl, process] of [
      [old.baseUrl, old] as const,
      [service.demo.baseUrl, service] as const,
    ]) {
      const stopped = process.stop();
      // As a proxy does while /readyz says 503.
      load.servers.splice(load.servers.indexOf(baseUrl), 1);
      expect(await stopped).toBe(0);
      await load.until(50);
    }
    const { accepted, statuses } = await load.stop();
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);

    const receipts = await receiver.received('/receipts', accepted.size);
    const messages = receipts.map(({ body }) => body.requestId);
    expect(new Set(messages)).toEqual(accepted);
    expect(messages).toHaveLength(accepted.size);
    expect(receipts.filter(({ body }) => body.deliveryStatus !== 'Delivered')).toEqual([]);
    await withStoredData(service, async (knex) => {
      expect(await unbalancedAccounts(knex)).toEqual([]);
      const [stored] = await rowsOf<{ requests: string; upgraded: string }>(
        knex,
        'select count(*) as requests, count(*) filter (where next_version) as upgraded from requests',
      );
      expect(Number(stored?.requests)).toBe(accepted.size);
      expect(Number(stored?.upgraded)).toBe(0);
    });
  });

  /** Clients that each repeat a request, elsewhere, until it is accepted. */
  function startLoad(servers: string[]) {
    const accepted = new Set<string>();
    const statuses = new Set<number>();
    let going = true;
    let failed: unknown;
    const send = async (turn: number) => {
      const headers = { 'idempotency-key': randomUUID() };
      const body = toMany(['+254711085000'], 'Habari', {
        receiptRequest: { callbackUrl: receiver.url('/receipts') },
      });
      for (let attempt = turn; ; attempt += 1) {
        const response = await fetch(
          `${servers[attempt % servers.length]}/message/${sms.demo.smsServiceId}`,
          {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json', authorization: `Bearer ${sms.token}` },
            body: JSON.stringify(body),
          },
        );
        statuses.add(response.status);
        const answer = await response.json();
        if (response.status === 200)
          return void accepted.add((answer as { result: { requestId: string } }).result.requestId);
        expect([response.status, response.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
        await delay(50);
      }
    };
    const running = Array.from({ length: clients }, async (_, client) => {
      for (let turn = client; going; turn += 1) await send(turn);
    });
    for (const one of running)
      one.catch((error) => {
        failed ??= error;
      });
    return {
      servers,
      /** Resolves when so many more are accepted. */
      until: async (more: number) => {
        const goal = accepted.size + more;
        while (accepted.size < goal && failed === undefined) await delay(20);
        if (failed !== undefined) throw failed;
      },
      stop: async () => {
        going = false;
        await Promise.all(running);
        return { accepted, statuses };
      },
    };
  }
});

/** This version, and a migration that gives every table a column. */
function writeNextVersion(folder: string): void {
  for (const part of [
    'bin',
    'src',
    'handlers',
    'generated',
    'docs',
    'clients/typescript',
    'package.json',
    'CHANGELOG.md',
  ])
    cpSync(join(project, part), join(folder, part), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  const migrations = join(folder, 'src/platform/db/migrate.ts');
  const list = /(?<=const migrations: Migrations = \{[^}]*)\s*\}/;
  const code = readFileSync(migrations, 'utf8');
  expect(code).toMatch(list);
  writeFileSync(
    migrations,
    `${code.replace(list, " '9999_next': { up: (trx) => trx.raw(addColumns) } }")}\nconst addColumns = \`${addColumns}\`;\n`,
  );
}

const addColumns = `
  do $$ declare one text; begin
    for one in select tablename from pg_tables where schemaname = current_schema() loop
      execute format('alter table %I add column next_version boolean not null default false', one);
    end loop;
  end $$`;

async function migrateTo(folder: string, env: Record<string, string | undefined>): Promise<string> {
  const child = spawn(process.execPath, ['src/main.ts', 'migrate'], { cwd: folder, env });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = await once(child, 'exit');
  expect([status, ...(await output)]).toEqual([0, expect.any(String), '']);
  return (await output)[0];
}
