/** Lets old messages leave for the archive while others are accepted, and compares the response times with those before. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Knex } from 'knex';
import { openArchive } from '../../src/archive/open-archive.ts';
import { readSegments } from '../../src/archive/segment-repository.ts';
import { verifyArchive } from '../../src/archive/verify.ts';
import { startSealCount } from '../../src/ledger/seal-repository.ts';
import { openSecrets } from '../../src/process/secret-key.ts';
import { growHistory } from './history.ts';
import type { LoadCalls, LoadResult } from './parts/load.ts';
import { type Part, startPart } from './parts/part.ts';
import { type Cluster, connectTo } from './parts/postgres.ts';
import { secretKey } from './parts/secret-key.ts';
import { startBenchedService } from './parts/service.ts';
import { loadOf } from './systems.ts';

const perSecond = 500;
const daysOld = 500;
/** Before rows leave, and after: the machine may not be the same all the time. */
const partsWithout = 4;
const mostParts = 2_000;

export interface ArchiveStudy {
  cluster: Cluster | undefined;
  seconds: number;
  /** Old messages, about. */
  stored: number;
}

export async function studyArchive({ cluster, seconds, stored }: ArchiveStudy): Promise<string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'tarishi-bench-archive-'));
  const url = pathToFileURL(directory).href;
  const service = await startBenchedService({
    commands: ['serve', 'work'],
    serverUrl: cluster?.url,
    smscPort: undefined,
    settings: { ARCHIVE_URL: url },
    prepare: (knex) => knex.raw(`update archive set next_round_at = service_now() + interval '55 minutes'`),
  });
  const knex = connectTo(service.databaseUrl ?? '');
  const options = { ...loadOf(service, 1, undefined), perSecond };
  try {
    const first = await startPart<LoadCalls>('load.ts', options);
    await delay(4_000);
    await first.call('stop');
    await first.end();
    await untilDelivered(knex);
    await service.stop();
    await makeOld(knex);
    await growHistory(knex, stored);
    await passRetention(knex);
    await service.restart();
    const load = await startPart<LoadCalls>('load.ts', options);
    try {
      await delay(seconds * 1000);
      const before = await lookFor(load, seconds, partsWithout);
      await knex.raw(`update archive set next_round_at = service_now() - interval '1 day'`);
      while (!(await isHeld(knex))) await delay(100);
      const during: LoadResult[] = [];
      const startedMs = performance.now();
      do during.push(...(await lookFor(load, seconds, 1)));
      while ((await oldOnes(knex)) > 0 && during.length < mostParts);
      const took = Math.round((performance.now() - startedMs) / 1000);
      const after = await lookFor(load, seconds, partsWithout);
      const [base, busy] = [medians([...before, ...after]), medians(during)];
      return [
        `before and after, medians of parts of ${seconds} s: ${line(base)}`,
        `while rows leave: ${line(busy)}, p99 ${(busy.p99 / base.p99).toFixed(2)} times that`,
        `${await oldOnes(knex)} old requests left after ${took} s`,
        ...(await verified(knex, url, directory)),
      ];
    } finally {
      await load.call('stop');
      await load.end();
    }
  } finally {
    await knex.destroy();
    await service.dispose();
    rmSync(directory, { recursive: true });
  }
}

async function lookFor(load: Part<LoadCalls>, seconds: number, parts: number): Promise<LoadResult[]> {
  const results: LoadResult[] = [];
  await load.call('look');
  while (results.length < parts) {
    await delay(seconds * 1000);
    results.push(await load.call('look'));
  }
  return results;
}

interface Medians {
  accepted: number;
  p50: number;
  p99: number;
  refused: number;
}

function medians(parts: readonly LoadResult[]): Medians {
  const median = (of: (part: LoadResult) => number) =>
    parts.map(of).sort((a, b) => a - b)[Math.floor(parts.length / 2)] ?? Number.NaN;
  return {
    accepted: median(({ accepted }) => accepted.requests),
    p50: median(({ accepted }) => accepted.p50),
    p99: median(({ accepted }) => accepted.p99),
    refused: parts.reduce((sum, { refused }) => sum + refused.requests, 0),
  };
}

function line({ accepted, p50, p99, refused }: Medians): string {
  return `${accepted} accepted in each part, ${refused} refused, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
}

async function untilDelivered(knex: Knex): Promise<void> {
  for (;;) {
    const [open] = await knex('messages').whereNull('final_at').limit(1).select('id');
    if (open === undefined) return;
    await delay(200);
  }
}

/** As it is after so many days: erased, and counted. */
async function makeOld(knex: Knex): Promise<void> {
  await knex.transaction(async (trx) => {
    await trx.raw('set local session_replication_role = replica');
    const old = `- interval '${daysOld} days'`;
    await trx.raw(`update requests set created_at = created_at ${old}, correlator = null`);
    await trx.raw(
      `update messages set phone = '#' || md5(phone) || md5(phone), content = '', network_id = null,
         submitted_at = submitted_at ${old}, reached_at = reached_at ${old}, final_at = final_at ${old}`,
    );
    await trx.raw(
      `update receipts set body = '', attempt_log = '[]', state = 'Delivered', created_at = created_at ${old}`,
    );
    await trx.raw(`update ledger_entries set created_at = created_at ${old}`);
    await trx.raw('truncate message_parts, counted_messages, idempotency_keys, ledger_seals, ledger_cuts');
    await startSealCount(trx, await openSecrets({ secretKey, dataDirectory: '.' }, trx));
  });
}

/** What retention erases is erased: it would look at all of it otherwise. */
async function passRetention(knex: Knex): Promise<void> {
  await knex.raw(
    `insert into retention_progress (team_id, duty, at)
     select t.id, duty, service_now() - interval '${daysOld - 100} days' from teams t, unnest('{texts,receipts,numbers}'::text[]) duty
     on conflict (team_id, duty) do update set at = excluded.at`,
  );
}

async function isHeld(knex: Knex): Promise<boolean> {
  const [row] = await knex('archive').whereRaw('held_until > service_now()').select('id');
  return row !== undefined;
}

/** Requests that are still to leave, up to a thousand. */
async function oldOnes(knex: Knex): Promise<number> {
  const rows = await knex('requests')
    .whereRaw(`created_at < service_now() - interval '${daysOld - 100} days'`)
    .limit(1_000)
    .select('id');
  return rows.length;
}

/** The archive verifies with the database, and one altered byte is named. */
async function verified(knex: Knex, url: string, directory: string): Promise<string[]> {
  const store = openArchive(url);
  const verify = () => verifyArchive(store, readSegments(knex));
  const { segments, rows, faults } = await verify();
  const last = await knex('archive_segments').orderBy('number', 'desc').first('file');
  const bytes = readFileSync(join(directory, last.file));
  const at = Math.floor(bytes.length / 2);
  bytes.writeUInt8((bytes[at] ?? 0) ^ 1, at);
  writeFileSync(join(directory, last.file), bytes);
  return [
    `the archive has ${segments} segments, ${rows.requests} requests, ${rows.messages} messages and ${rows.ledgerEntries} ledger entries; ${faults.length === 0 ? 'it verifies' : faults.join('; ')}`,
    `with one byte altered: ${(await verify()).faults.join('; ')}`,
  ];
}
