/** Ledgers are sealed and inspected, and statements written and verified, on a real database. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { byHand } from '../../ledger/by-hand-testing.ts';
import { accountsUnlikeLedger, inspectSeals, missingSeals } from '../../ledger/inspection-repository.ts';
import { sealLedgers, startSealCount } from '../../ledger/seal-repository.ts';
import { createParts } from '../../platform/isolation/parts.ts';
import { payRefunds } from '../../receipts/refund-repository.ts';
import { createCommandLine, useCommandLine } from '../line/testing.ts';

const { database, secrets, tarishi } = useCommandLine();
const folder = mkdtempSync(join(tmpdir(), 'tarishi-statement-'));
let accountId: string;

beforeAll(async () => {
  await tarishi('team add acme');
  await tarishi('team add other');
  // Ids of the accounts of one team lie between those of others.
  for (const team of ['other', 'acme'])
    await tarishi(`topup ${team} --product Sms --units 1 --reference first`);
  accountId = (await database.knex('accounts').where({ team_id: 'acme' }).first('id')).id;
});

/** Entries at these seconds of 2027-01-01, each of one unit. */
async function entriesAt(...seconds: number[]): Promise<void> {
  for (const second of seconds)
    await database.knex.raw(
      `insert into ledger_entries (account_id, units, reason, created_at)
       values (?, 1, 'TopUp', '2027-01-01T00:00:00Z'::timestamptz + ? * interval '1 second')`,
      [accountId, second],
    );
  await database.knex.raw(
    `update accounts a set balance =
       coalesce((select sum(units) from ledger_entries where account_id = a.id), 0)`,
  );
}

beforeEach(async () => {
  await database.knex.raw('truncate ledger_entries, ledger_seals, ledger_cuts');
  await database.knex.transaction((trx) => startSealCount(trx, secrets));
  await database.knex.raw('update ledger_inspection set account_id = 0, number = 0');
  await database.knex.raw('update accounts set balance = 0');
});

const seal = () => sealLedgers(database.knex, secrets);
const inspect = (most = 1_000_000) => inspectSeals(database.knex, secrets, most);
const show = async (period = '') =>
  JSON.parse((await tarishi(`statement show acme --product Sms${period}`)) as string);

describe('an untouched ledger', () => {
  test('is sealed in parts, each entry once, and passes', async () => {
    await entriesAt(1, 2, 3);
    expect(await seal()).toBe(false);
    await seal();
    await entriesAt(4);
    await seal();
    const seals = await database.knex('ledger_seals').orderBy('number').select('number', 'entries', 'hash');
    expect(seals.map(({ number, entries }) => [Number(number), Number(entries)])).toEqual([
      [1, 3],
      [2, 4],
    ]);
    expect(seals[1].hash).toBe((await show()).closing.hash);
    expect(await inspect()).toEqual([]);
    expect(await accountsUnlikeLedger(database.knex)).toEqual([]);
  });

  test('two processes that seal at once leave one chain', async () => {
    await entriesAt(1, 2, 3);
    await Promise.all([seal(), seal()]);
    expect(await database.knex('ledger_seals')).toHaveLength(1);
  });

  test('an account whose seal fails holds up no other', async () => {
    const { knex } = database;
    const [other] = await knex('accounts')
      .insert({ team_id: 'acme', product: 'chatapp', variant: 'MARKETING' })
      .returning('id');
    await knex('ledger_entries').insert({ account_id: other.id, units: 0, reason: 'Correction' });
    await entriesAt(1);
    const parts = createParts('ledger seals', pino({ level: 'silent' }), { elapsedMs: () => 0 });
    await knex.raw(
      `alter table ledger_seals add constraint failing check (account_id <> ${accountId}) not valid`,
    );
    await sealLedgers(knex, secrets, parts);
    expect(await knex('ledger_seals').pluck('account_id')).toEqual([other.id]);
    expect(parts.resting()).toEqual([String(accountId)]);
    await knex.raw('alter table ledger_seals drop constraint failing');
    await sealLedgers(knex, secrets, parts);
    expect(await knex('ledger_seals')).toHaveLength(1);
    await seal();
    expect(await knex('ledger_seals')).toHaveLength(2);
  });

  test('a ledger that is longer than one read is sealed to its end', async () => {
    await database.knex.raw(
      `insert into ledger_entries (account_id, units, reason) select ?, 1, 'TopUp' from generate_series(1, 1500)`,
      [accountId],
    );
    expect(await seal()).toBe(true);
    expect(await seal()).toBe(false);
    const statement = await show();
    expect(statement.closing).toMatchObject({ entries: 1500, balance: 1500 });
    // A bounded inspection continues where the last one ended.
    await byHand(
      database.knex,
      'update ledger_entries set units = 2 where id = (select max(id) from ledger_entries)',
    );
    expect(await inspect(1)).toEqual([]);
    expect(await inspect(1)).toMatchObject([{ first: 1001, last: 1500 }]);
    expect(await inspect(1)).toMatchObject([{ first: 1001, last: 1500 }]);
  });
});

describe('a row that was changed by hand is found', () => {
  const second = '(select id from ledger_entries order by id offset 1 limit 1)';
  const insert = (id: string) =>
    `insert into ledger_entries (id, account_id, units, reason) overriding system value
     select ${id}, account_id, 0, 'Correction' from ledger_entries where id = ${second}`;

  test.each([
    [
      'backdated',
      `update ledger_entries set created_at = created_at - interval '1 us' where id = ${second}`,
      3,
    ],
    ['deleted', `delete from ledger_entries where id = ${second}`, 2],
    ['inserted', insert('id + 1'), 4],
    ['inserted before all others', insert('-1'), 4],
  ])('%s', async (_what, statement, found) => {
    await entriesAt(1, 2);
    await database.knex.raw(`select nextval('ledger_entries_id_seq')`);
    await entriesAt(3);
    await seal();
    await byHand(database.knex, statement);
    const broken = await inspect();
    expect(broken).toEqual([
      { teamId: 'acme', product: 'sms', variant: '', first: 1, last: 3, found, forged: false },
    ]);
    expect(await inspect()).toEqual(broken);
  });

  test('before it is sealed, by the balance', async () => {
    await entriesAt(1);
    await seal();
    await entriesAt(2, 3);
    await byHand(database.knex, `delete from ledger_entries where id = (select max(id) from ledger_entries)`);
    expect(await accountsUnlikeLedger(database.knex)).toMatchObject([{ balance: 3, entries: 2 }]);
  });

  test('distinguishes a missing seal from missing entries', async () => {
    await entriesAt(1);
    await seal();
    await entriesAt(2);
    await seal();
    await byHand(database.knex, 'delete from ledger_seals where number = 1', 'ledger_seals');
    expect(await inspect()).toMatchObject([{ first: 1, last: 2, found: null }]);
    expect(await missingSeals(database.knex, secrets)).toBe(1);
  });
});

test('a statement of a ledger that was altered with all its hashes differs from what was sealed', async () => {
  await entriesAt(1, 2);
  await seal();
  await entriesAt(3);
  const verify = async () => {
    const file = join(folder, 'compared.json');
    writeFileSync(file, JSON.stringify(await show()));
    return tarishi(`statement verify ${file} --seals`);
  };
  expect(await verify()).toMatchObject({ entries: 3, confirmedThrough: 2 });
  await byHand(
    database.knex,
    'update ledger_entries set units = 501 where id = (select min(id) from ledger_entries)',
  );
  expect(await verify()).toMatch(/entry 2, or one before it, is not what the service has sealed$/);
  await byHand(database.knex, 'delete from ledger_seals', 'ledger_seals');
  await seal();
  expect(await verify()).toMatch(/seals of ledgers were deleted or added by hand: the doctor names them$/);
});

// The embedded database has one session: nobody ever waits for a lock there.
const withSessions = process.env.DATABASE_URL === undefined ? test.skip : test;

withSessions('entries get their ids only once their account is locked', async () => {
  const { knex } = database;
  const lastId = async () =>
    (await knex.raw('select last_value from ledger_entries_id_seq')).rows[0].last_value;
  const requestId = '5f0c6e0e-6f0b-4d53-9c1a-0d2f6a3b7c11';
  const before = await lastId();
  let refunded: Promise<void> | undefined;
  await knex.transaction(async (trx) => {
    await trx('accounts').where({ id: accountId }).forUpdate().first('id');
    refunded = knex.transaction((other) =>
      payRefunds(other, [{ accountId, units: 1, requestId, messageId: '1' }]),
    );
    for (let waiting = 0; waiting === 0; )
      waiting = (await trx.raw('select count(*)::int as n from pg_locks where not granted')).rows[0].n;
    expect(await lastId()).toBe(before);
  });
  await refunded;
  expect(await lastId()).not.toBe(before);
});

describe('a statement', () => {
  const from = (second: number) => ` --from 2027-01-01T00:00:0${second}Z`;
  const to = (second: number) => ` --to 2027-01-01T00:00:0${second}Z`;
  const positions = ({ entries }: { entries: { position: number }[] }) =>
    entries.map(({ position }) => position);

  test('of a period opens as the one before it closes, sealed or not', async () => {
    // The third was made before the second, but came later.
    await entriesAt(1, 4, 3, 5, 8);
    for (const sealed of [false, true]) {
      if (sealed) await seal();
      const [first, second, third] = [await show(to(4)), await show(from(4) + to(6)), await show(from(6))];
      expect([first, second, third].map(positions)).toEqual([[1], [2, 3, 4], [5]]);
      expect([second.opening, third.opening]).toEqual([first.closing, second.closing]);
      expect(third.closing).toMatchObject({ entries: 5, balance: 5 });
      const whole = await show();
      expect(positions(whole)).toEqual([1, 2, 3, 4, 5]);
      expect(whole.closing).toEqual(third.closing);
      expect(positions(await show(from(9)))).toEqual([]);
    }
  });

  test('is verified without a database, and the first altered entry is named', async () => {
    await entriesAt(1, 2, 3);
    const file = join(folder, 'statement.json');
    const statement = await show();
    writeFileSync(file, JSON.stringify(statement));
    const offline = createCommandLine({
      database: () => {
        throw new Error('no database');
      },
      secrets: undefined as never,
    });
    const verified = { team: 'acme', entries: 3, openingBalance: 0, closingBalance: 3 };
    expect(await offline(['statement', 'verify', file])).toMatchObject(verified);
    const verify = (head: string) => offline(['statement', 'verify', file, '--head', head]);
    expect(await verify(statement.entries[1].hash)).toMatchObject(verified);
    expect(await verify('0'.repeat(64))).toBe(`${file}: no entry has the hash ${'0'.repeat(64)}`);
    statement.entries[1].units = 7;
    writeFileSync(file, JSON.stringify(statement));
    expect(await offline(['statement', 'verify', file])).toBe(
      `${file}: entry 2 (id ${statement.entries[1].id}) was altered`,
    );
    writeFileSync(file, '{');
    expect(await offline(['statement', 'verify', file])).toBe(`${file}: this is not JSON`);
    expect(await offline(['statement', 'verify', join(folder, 'none')])).toMatch(/none cannot be read/);
  });
});
