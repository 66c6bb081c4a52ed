/** What the doctor finds in a deployment. */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createStateRepository } from '../../connectors/runtime/state-repository.ts';
import { byHand } from '../../ledger/by-hand-testing.ts';
import { sealLedgers } from '../../ledger/seal-repository.ts';
import { examine, whyNot } from '../../manage/operation/doctor.ts';
import { clearTables } from '../../platform/db/testing.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { createPresence } from '../../platform/processes/repository.ts';
import { readConfig } from '../../process/config.ts';
import { recordFirstKey } from '../../process/secret-key.ts';
import { managementOn, useCommandLine } from '../line/testing.ts';

const requestId = randomUUID();
const { database, secrets, opened, tarishi, fully } = useCommandLine();
beforeAll(async () => {
  await recordFirstKey(database.knex, secrets);
  await tarishi('team add acme');
  await tarishi('channel add Safaricom --prefix 25471 --connector simulator');
  for (const units of [11, 4, 1])
    await tarishi(`topup acme --product Sms --units ${units} --reference invoice-${units}`);
});

type Row = { check: string; result: string; problem: string | null };
const examined = {
  ...readConfig({}),
  dataDirectory: undefined,
  tarishi: 'npx tarishi',
  pause: async () => {},
};
const faults = async (more: Partial<typeof examined> | { dataDirectory: string } = {}) => {
  const checks = await examine(managementOn(opened), { ...examined, ...more });
  return checks.flatMap(({ name, problems }) => problems.map((problem) => `${name}: ${problem}`));
};
/** A worker reports that it has these connectors. */
const workerHas = (...connectors: string[]) =>
  createStateRepository(database.knex, 'worker').save(
    connectors.map((name) => ({
      name,
      kind: 'simulator',
      condition: 'open',
      reason: null,
      state: undefined,
      throttled: false,
      lastError: null,
    })),
  );

const isThere = (command: 'serve' | 'work', host = 'one') =>
  createPresence(database.knex, { id: randomUUID(), command, host, pid: 7 }).note();
const ago = (minutes: number) => database.knex.raw(`service_now() - ? * interval '1 minute'`, [minutes]);

/** A request that was accepted so long ago. */
const accepted = (age: string) =>
  database.knex('requests').insert({
    id: requestId,
    team_id: 'acme',
    client_id: 'orders',
    operation: 'sendSms',
    resource_id: 'acme-sms',
    created_at: database.knex.raw('service_now() - ?::interval', [age]),
  });

const leftByTests =
  'processes, requests, jobs, routes, inbound_parts, inbound_unreadable, opt_out_imports, ported_imports';
beforeEach(async () => {
  await clearTables(database.knex, leftByTests);
  await database.knex('accounts').update({ balance: 16 });
  await isThere('work');
  await workerHas('simulator', 'bundle-simulator', 'chat-simulator');
});

test('finds nothing in a healthy deployment', async () => {
  expect(await tarishi('doctor')).toEqual(
    'migrations,clock,ledger,secret key,files,processes,jobs,messages,connectors,routes,texts of phones,imports,quarantine,unreadable messages,senders,archive,disk'
      .split(',')
      .map((check) => ({ check, result: 'ok', problem: null })),
  );
});

test('names an account whose balance was changed by hand, beside the checks that pass', async () => {
  await database.knex('accounts').update({ balance: 12 });
  const rows = (await tarishi('doctor')) as Row[];
  expect(rows).toContainEqual({
    check: 'ledger',
    result: 'failed',
    problem: 'account acme/Sms has a balance of 12, but its ledger entries sum up to 16',
  });
  expect(rows.filter(({ result }) => result === 'ok')).toHaveLength(16);
  expect(await fully('doctor')).toMatchObject({ exitCode: 1 });
});

test('names a route without a connector that works, and one of a channel that takes no messages', async () => {
  await tarishi('channel add Orange --prefix 25477 --connector simulator');
  await tarishi('channel set Orange --no-enabled');
  await tarishi('connector add second --kind simulator');
  await tarishi('route add codes --channel Safaricom --category AUTHENTICATION --via second');
  await tarishi('route add others --channel Orange --via second --via simulator');
  expect((await faults()).filter((fault) => fault.startsWith('routes'))).toEqual([
    'routes: route others is of channel Orange, which takes no messages',
    'routes: no connector of route codes takes messages, so they wait: see npx tarishi connector list',
  ]);
});

const noWorker = 'processes: no worker has been seen for 30 s, so nothing is delivered: run npx tarishi work';

test('names a deployment without workers, and a connector in use that no worker has', async () => {
  await workerHas('bundle-simulator');
  expect(await faults()).toEqual([
    expect.stringMatching(
      /^connectors: simulator has no worker since \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ; the log of the workers says why$/,
    ),
  ]);
  await database.knex('processes').delete();
  expect(await faults()).toEqual([noWorker]);
  // The embedded database serves one process: now the doctor.
  expect(await faults({ dataDirectory: tmpdir() })).toEqual([]);
});

test('names a process that died, with its host and since when', async () => {
  await isThere('serve', 'web-1');
  const seenAt = new Date(Date.now() - 120_000);
  await database.knex('processes').where({ host: 'web-1' }).update({ seen_at: seenAt });
  expect(await faults()).toEqual([
    `processes: the serve process 7 on web-1 stopped without saying so at ${seenAt.toISOString().slice(0, 19)}Z: its log, or that of web-1, says why`,
  ]);
});

test('has no alarm for what passes within seconds, such as a restart or a failover', async () => {
  await isThere('serve', 'web-1');
  await database.knex('processes').update({ seen_at: ago(5) });
  await database.knex('connector_states').delete();
  const pause = async () => {
    await database.knex('processes').update({ seen_at: ago(0) });
    await workerHas('simulator', 'bundle-simulator', 'chat-simulator');
  };
  expect(await faults({ pause })).toEqual([]);
});

test('names texts of phones that wait beyond their time, and imports that stand still', async () => {
  const { knex } = database;
  const part = {
    number: 1,
    total: 2,
    series: 's',
    connector: 'simulator',
    product: 'sms',
    phone: '+254711000000',
    recipient: '22141',
    coding: 'gsm7',
    octets: Buffer.from('a'),
    digest: 'd',
    repeats: false,
  };
  await knex('inbound_parts').insert([
    { ...part, message_id: randomUUID(), received_at: ago(50) },
    { ...part, message_id: randomUUID(), received_at: ago(80) },
  ]);
  const [{ id }] = await knex('opt_out_imports')
    .insert({ name: 'registry', product: 'sms', team_id: 'acme', target: 'ALL', lines: 20 })
    .returning('id');
  const chunk = { import_id: id, part: 1, first_line: 1, lines: '+254711000000' };
  await knex('opt_out_import_chunks').insert({ ...chunk, stored_at: ago(9) });
  const table = { number_column: 'number', channel_column: 'network', codes: '{}', channels: '[]', parts: 1 };
  await knex('ported_imports').insert({ ...table, name: 'half', parts: 2, went_on_at: ago(7) });
  expect(await faults()).toEqual([
    'texts of phones: 1 text(s) of phones should have been stored without their missing parts 20 minutes ago: the log of the workers says why',
    'imports: 20 line(s) of imported opt-outs wait, and none has been read for 9 minutes, next those of registry of team acme: the log of the workers says why',
    'imports: the table of ported numbers half is not in use: 0 of its 2 parts have come, and none for 7 minutes: run the same command again',
  ]);
  const [{ id: unread }] = await knex('ported_imports')
    .insert({ ...table, name: 'whole', went_on_at: ago(8) })
    .returning('id');
  await knex('ported_import_parts').insert({
    import_id: unread,
    part: 1,
    digest: 'd',
    lines: 'number,network',
  });
  expect(await faults()).toContain(
    'imports: the table of ported numbers whole is not in use, and none of it has been read for 8 minutes: the log of the workers says why',
  );
});

testEvery([
  ['XX001', "the database's files are damaged (error XX001): restore a backup"],
  ['58P01', "the database's files are damaged (error 58P01): restore a backup"],
  ['XX002', 'an index of the database is damaged (error XX002): run reindex database in psql'],
  ['XX000', 'this cannot be checked: database error XX000'],
  ['57P01', 'this cannot be checked: database error 57P01'],
])('says to restore a backup only for damaged files: %s', (code, sentence) => {
  expect(whyNot(Object.assign(new Error('select'), { code }))).toBe(sentence);
});

test('says that senders need no review, in production', async () => {
  expect(await faults({ senders: 'open' })).toEqual([]);
  expect(await faults({ senders: 'open', production: true })).toEqual([
    'senders: SENDERS is open: teams send as whatever they ask for, without a review',
  ]);
});

test('names a team whose rows should have left long ago', async () => {
  await accepted('406 days');
  expect(await faults()).toEqual([]);
  await database.knex('requests').update({ created_at: ago(408 * 24 * 60) });
  expect(await faults()).toEqual([
    'archive: requests of team acme should have left the database 7 days ago: the log of the workers says why',
  ]);
});

test('says that messages of people could not be read, and since when', async () => {
  const { knex } = database;
  const of = { id: randomUUID(), product: 'chatapp', connector: 'meta', kind: 'Message', reason: 'NoNumber' };
  const at = (await knex.raw(`select service_now() - interval '1 day' as at`)).rows[0].at;
  await knex('inbound_unreadable').insert({ ...of, recipient: '', received_at: at });
  expect(await faults()).toEqual([
    expect.stringMatching(
      `^unreadable messages: 1 message.* through meta could not be read since ${at.toISOString()}: see .* inbound unreadable$`,
    ),
  ]);
});

test('names tables whose files were shortened', async () => {
  const { knex } = database;
  const pages = (more: number) =>
    knex.raw(`update pg_class set relpages = relpages + ? where relname = 'messages'`, [more]);
  await knex.raw('vacuum messages');
  expect(await faults()).toEqual([]);
  await pages(1);
  expect(await faults()).toEqual(['files: the file of messages is shorter than it was: restore a backup']);
  await pages(-1);
});

test('says without SQL what it cannot check', async () => {
  const { knex } = database;
  await knex.raw('alter table ledger_seals rename to lost');
  expect(await faults()).toEqual(['ledger: this cannot be checked: database error 42P01']);
  await knex.raw('alter table lost rename to ledger_seals');
});

test('names the entries of which one was changed by hand, even if the balance matches', async () => {
  const { knex } = database;
  await sealLedgers(knex, secrets);
  await byHand(knex, `update ledger_entries set reference = coalesce(reference, '') || 'x'`);
  expect(await faults()).toEqual([
    'ledger: entries 1 to 3 of account acme/Sms were changed by hand: they do not match their seal',
  ]);
  await byHand(knex, `update ledger_entries set reference = nullif(left(reference, -1), '')`);
  expect(await faults()).toEqual([]);
});

test('names jobs that no worker finishes', async () => {
  const job = { queue: 'deliver', data: JSON.stringify({ requestIds: [requestId] }) };
  const past = ago(10);
  await accepted('10 minutes');
  await database.knex('jobs').insert([
    { ...job, due_at: past, claimed: true },
    { ...job, due_at: past, expires_at: past },
  ]);
  expect(await faults()).toEqual([
    'jobs: 1 job(s) were claimed by a worker that no longer renews its lease',
    'jobs: 1 job(s) are past their expiry and still wait',
    expect.stringMatching(/^jobs: the oldest message that was not submitted yet has waited for 60\d s$/),
  ]);
});

test('names connectors in use that are paused or lack a secret', async () => {
  await workerHas('airtime', 'simulator');
  await tarishi('connector add airtime --kind bundles --set baseUrl=https://provider.example');
  await tarishi('channel set Safaricom --bundle-connector airtime');
  await tarishi('connector pause simulator --reason maintenance');
  expect(await faults()).toEqual([
    'connectors: airtime needs the secret token, which is not set',
    expect.stringMatching(
      /^connectors: simulator is paused since \S+Z: maintenance; when the cause is gone, run npx tarishi connector resume simulator$/,
    ),
  ]);
});
