/** A full disk: requests fail, nothing is half done, and with room again the same process goes on. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import knexFactory from 'knex';
import { sized } from '../../../src/platform/sized-testing.ts';
import { phones, type SmsService, startSms, toMany } from '../../support/requests/sms.ts';
import { type Answer, call } from '../../support/service/api.ts';
import { type OwnPostgres, openPostgresIn, openSmallDisk } from '../../support/service/small-disk.ts';
import { rowsOf, topUp, unbalancedAccounts, withStoredData } from '../../support/service/stored-data.ts';

const trials = Number(process.env.DISK_TRIALS ?? sized(1, 2));
const failuresPerTrial = 20;
const onPostgres = process.env.DATABASE_URL !== undefined;
// An empty PostgreSQL has more in it.
const disk = openSmallDisk(onPostgres ? 192 : 96);
if (disk === undefined) process.stdout.write('skipped: only root may mount a small disk\n');
const onSmallDisk = disk === undefined ? describe.skip : describe;

onSmallDisk('on a disk of its own', () => {
  let sms: SmsService;
  let postgres: OwnPostgres | undefined;
  /** The request of each key that was accepted. */
  const accepted = new Map<string, string>();

  beforeAll(async () => {
    const directory = disk?.directory ?? '';
    // The disk of the server that the tests are given is not ours to fill.
    postgres = onPostgres ? await openPostgresIn(directory) : undefined;
    sms = await startSms({
      RATE_LIMIT_PER_SECOND: '1000000',
      ...(postgres === undefined ? { DATA_DIR: join(directory, 'data') } : { DATABASE_URL: postgres.url }),
    });
    await sms.service.stop();
    await withStoredData(sms.service, (knex) => topUp(knex, sms.demo.clientId, 1_000_000));
    await sms.service.restart();
  });
  afterAll(async () => {
    await sms?.service.dispose();
    await postgres?.close();
    disk?.remove();
  });

  test(`500 while it is full, ${trials} times; afterwards the same keys succeed, once each`, async () => {
    for (let trial = 0; trial < trials; trial += 1) {
      await beginLogFile();
      disk?.fill();
      const failed = await sendUntilFailed();
      expect(await settledReadiness(503)).toEqual({ status: 'unavailable', reason: 'database' });
      disk?.free();
      expect(await settledReadiness(200)).toEqual({ status: 'ready' });
      await expectAccepted(failed);
    }
    await expectNothingHalfDone();
  });

  const send = (key: string) => sms.send(toMany(phones(100)), { headers: { 'idempotency-key': key } });
  const readiness = (): Promise<Answer> => call(sms.demo.baseUrl, '/readyz', { method: 'GET' });

  /** What was found out may be a second old. */
  async function settledReadiness(status: number): Promise<unknown> {
    for (;;) {
      const answer = await readiness();
      if (answer.status === status) return answer.body;
    }
  }

  /** Returns the keys that failed; the tables have some room left. */
  async function sendUntilFailed(): Promise<string[]> {
    const failed: string[] = [];
    while (failed.length < failuresPerTrial) {
      const key = randomUUID();
      const answer = await send(key);
      if (answer.status === 200) accepted.set(key, answer.body.result.requestId);
      else {
        expect([answer.status, answer.body.desc]).toEqual([500, expect.stringContaining('Internal error.')]);
        failed.push(key);
      }
    }
    return failed;
  }

  async function expectAccepted(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const answer = await send(key);
      expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([200, null]);
      accepted.set(key, answer.body.result.requestId);
    }
  }

  /** Stops the service for it, and starts it again. */
  async function expectNothingHalfDone(): Promise<void> {
    expect(await sms.service.stop()).toBe(0);
    await withStoredData(sms.service, async (knex) => {
      const stored = await rowsOf<{ id: string; messages: number; debit: number }>(
        knex,
        `select id, (select count(*)::integer from messages where request_id = requests.id) as messages,
           (select -sum(units)::integer from ledger_entries
            where request_id = requests.id and reason = 'Debit') as debit
         from requests`,
      );
      expect(stored.map(({ id }) => id).sort()).toEqual([...accepted.values()].sort());
      expect(stored.filter(({ messages, debit }) => messages !== 100 || debit !== 100)).toEqual([]);
      expect(await unbalancedAccounts(knex)).toEqual([]);
    });
    await sms.service.restart();
  }

  /** The end of the log's file would be the server's end. */
  async function beginLogFile(): Promise<void> {
    if (postgres === undefined) return;
    const knex = knexFactory({ client: 'pg', connection: postgres.url, pool: { min: 0, max: 1 } });
    await knex.raw(`select pg_switch_wal(), pg_logical_emit_message(false, 'test', 'log')`);
    await knex.raw('checkpoint');
    await knex.destroy();
  }
});
