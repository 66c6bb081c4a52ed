/** A full disk: requests fail, nothing is half done, and with room again the same process goes on. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { phones, type SmsService, startSms, toMany } from './sms.ts';
import { rowsOf, unbalancedAccounts, withStoredData } from './stored-data.ts';

const trials = Number(process.env.DISK_TRIALS ?? 2);
const failuresPerTrial = 20;
const megabytes = 96;

const disk = process.env.DATABASE_URL === undefined ? smallDisk() : undefined;
// The disk of a PostgreSQL server is not ours to fill; elsewhere only root may mount one.
const onSmallDisk = disk === undefined ? describe.skip : describe;

onSmallDisk('on a disk of its own', () => {
  let sms: SmsService;
  const directory = disk ?? '';
  const filling = join(directory, 'filling');

  beforeAll(async () => {
    sms = await startSms({ DATA_DIR: join(directory, 'data'), RATE_LIMIT_PER_SECOND: '1000000' });
  }, 120_000);
  afterAll(async () => {
    await sms?.service.dispose();
    execFileSync('umount', [directory]);
    rmSync(directory, { recursive: true });
  });

  test(`500 while it is full, ${trials} times; afterwards the same keys succeed, once each`, async () => {
    const keys = new Map<string, string>();
    for (let trial = 0; trial < trials; trial += 1) {
      fill();
      const failed: string[] = [];
      // The tables have some room left.
      while (failed.length < failuresPerTrial) {
        const key = randomUUID();
        const answer = await send(key);
        if (answer.status === 200) keys.set(key, answer.body.result.requestId);
        else {
          expect([answer.status, answer.text]).toEqual([
            500,
            expect.stringMatching(/^{"desc":"Internal error\./),
          ]);
          failed.push(key);
        }
      }
      rmSync(filling);
      for (const key of failed) {
        const answer = await send(key);
        expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([200, null]);
        keys.set(key, answer.body.result.requestId);
      }
    }
    expect(await sms.service.stop()).toBe(0);
    await withStoredData(sms.service, async (knex) => {
      const stored = await rowsOf<{ id: string; messages: number; debit: number }>(
        knex,
        `select id, (select count(*)::integer from messages where request_id = requests.id) as messages,
           (select -sum(units)::integer from ledger_entries
            where request_id = requests.id and reason = 'Debit') as debit
         from requests`,
      );
      expect(stored.map(({ id }) => id).sort()).toEqual([...keys.values()].sort());
      expect(stored.filter(({ messages, debit }) => messages !== 100 || debit !== 100)).toEqual([]);
      expect(await unbalancedAccounts(knex)).toEqual([]);
    });
  }, 180_000);

  const send = (key: string) => sms.send(toMany(phones(100)), { headers: { 'idempotency-key': key } });

  function fill(): void {
    const block = Buffer.alloc(64 * 1024);
    for (let size = block.length; size >= 512; size /= 2)
      try {
        for (;;) writeFileSync(filling, block.subarray(0, size), { flag: 'a' });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
  }
});

/** A directory that holds so much and no more; undefined where we may not make one. */
function smallDisk(): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'tarishi-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory], {
      stdio: 'ignore',
    });
    return directory;
  } catch {
    rmSync(directory, { recursive: true });
    return undefined;
  }
}
