/** The archive verifies alone and with the database, every alteration is named, and what left is found again. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { noteFault } from '../../archive/segment-repository.ts';
import { type Archive, openTestArchive } from '../../archive/testing.ts';
import { byHand } from '../../ledger/by-hand-testing.ts';
import { inspectSeals, missingSeals } from '../../ledger/inspection-repository.ts';
import { sealLedgers } from '../../ledger/seal-repository.ts';
import { topUp } from '../../manage/units/accounts.ts';
import { forEvery } from '../../platform/for-every-testing.ts';
import { createCommandLine, managementOn } from '../line/testing.ts';

let archive: Archive;
let tarishi: ReturnType<typeof createCommandLine>;
beforeEach(async () => {
  archive = await openTestArchive();
  tarishi = createCommandLine({ ...opened(), settings: { ARCHIVE_URL: archive.url } });
});
afterEach(() => archive.close());

const opened = () => ({ database: () => archive.database, secrets: archive.secrets });
const knex = () => archive.database.knex;
const path = (name: string) => `${fileURLToPath(archive.url)}/${name}`;
const fileOf = async (number: number): Promise<string> =>
  (await knex()('archive_segments').where({ number }).first('file')).file;
const again = (hours: number) =>
  knex().raw("update archive set rewound_at = rewound_at - ? * interval '1 hour'", [hours]);

/** Three segments, of a request each. */
async function threeSegments(): Promise<string[]> {
  const ids = [];
  for (const days of [430, 420, 410]) {
    ids.push(await archive.accepted(days));
    await archive.run();
    await again(25);
  }
  return ids;
}

const alter = (name: string, change: (bytes: Buffer) => void) => {
  const bytes = readFileSync(path(name));
  change(bytes);
  writeFileSync(path(name), bytes);
};

describe('archive verify', () => {
  test('counts what an untouched archive has', async () => {
    await threeSegments();
    const expected = { segments: 3, requests: 3, messages: 3, receipts: 3, ledgerEntries: 0 };
    expect(await tarishi('archive verify')).toMatchObject(expected);
    expect(await tarishi('archive verify --alone')).toMatchObject(expected);
    expect(await tarishi('archive list')).toMatchObject(
      [1, 2, 3].map((segment) => ({ segment, messages: 1 })),
    );
  });

  test('names the file in which one byte was altered', async () => {
    await threeSegments();
    const file = await fileOf(2);
    const { length } = readFileSync(path(file));
    const words = ['archive verify', 'archive verify --alone', 'statement verify --archive'];
    for (const at of [0, Math.floor(length / 2), length - 1]) {
      const turn = () => alter(file, (bytes) => bytes.writeUInt8((bytes[at] ?? 0) ^ 1, at));
      turn();
      await forEvery(words, '%s', async (line) => expect(await tarishi(line)).toBe(`${file} was altered`));
      turn();
    }
  });

  test('names a manifest that was altered', async () => {
    await threeSegments();
    alter('00000002.json', (bytes) => bytes.write('9', bytes.indexOf('"messages": 1') + 12));
    expect(await tarishi('archive verify')).toBe(
      '00000002.json was altered: it is not the manifest that the database has',
    );
    expect(await tarishi('archive verify --alone')).toBe(
      '00000003.json does not follow 00000002.json: one of the two was altered',
    );
  });

  test('names a segment that was removed, with its manifest or without', async () => {
    await threeSegments();
    const file = await fileOf(2);
    rmSync(path(file));
    expect(await tarishi('archive verify')).toBe(`segment 2 is missing: there is no ${file}`);
    rmSync(path('00000002.json'));
    expect(await tarishi('archive verify --alone')).toBe('segment 2 is missing: there is no 00000002.json');
    rmSync(path('00000003.json'));
    expect(await tarishi('archive verify')).toContain('segment 3 is missing: there is no 00000003.json');
  });
});

test('a lost archive is named by doctor, and adopted: it goes on, without the segments that are lost', async () => {
  await threeSegments();
  await archive.accepted(405);
  const problem = async () =>
    ((await tarishi('doctor')) as { check: string; problem: string | null }[]).find(
      ({ check }) => check === 'archive',
    )?.problem;
  expect(await problem()).toBeNull();
  await noteFault(knex(), 'the worker on b: it has no archive.json');
  expect(await problem()).toBe('the worker on b: it has no archive.json');
  await knex().raw(`update archive set fault_at = fault_at - interval '91 s'`);
  expect(await problem()).toBeNull();
  rmSync(path(''), { recursive: true });
  expect(await problem()).toContain('has no archive.json. Rows stay in the database. Mount its directory');
  expect(await tarishi('archive adopt')).toEqual([{ lost: 1 }, { lost: 2 }, { lost: 3 }]);
  expect(await problem()).toBeNull();
  await archive.run();
  expect(await archive.rows()).toEqual({});
  expect(await tarishi('archive list')).toMatchObject([1, 2, 3, 4].map((segment) => ({ segment })));
  expect(await knex()('audit_log').where({ noun: 'archive' }).pluck('action')).toEqual(['adopt']);
});

describe('archive find', () => {
  const found = async (words: string) =>
    ((await tarishi(`archive find ${words}`)) as string)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));

  test('by the id of a request, and by a number that only its hash is left of', async () => {
    const phone = archive.secrets.hashPhone('+254711000000');
    const mine = await archive.accepted(405, { phone });
    const reply = await archive.received(404, { phone });
    const [, second] = await threeSegments();
    expect(await found(`--request ${second}`)).toMatchObject([{ request: { id: second } }]);
    expect(await found('--phone +254711000000')).toMatchObject([
      { kind: 'request', request: { id: mine } },
      { kind: 'inbound', message: { id: reply } },
    ]);
    expect(await found('--phone +254711000000 --team brief')).toEqual([]);
    expect(await found(`--phone +254711000000 --from 2000-01-01 --to 2001-01-01`)).toEqual([]);
    expect(await found('--phone +254711000001')).toEqual([]);
  });

  test('refuses to read a file that was altered', async () => {
    const [id] = await threeSegments();
    alter(await fileOf(1), (bytes) => bytes.writeUInt8(0, 30));
    await expect(found(`--request ${id}`)).rejects.toThrow('was altered');
  });
});

describe('the ledger', () => {
  const account = { team: 'acme', product: 'Sms' as const };
  /** An entry for each of these days ago, and a seal behind it. */
  const spend = async (...daysAgo: number[]) => {
    for (const days of daysAgo) {
      await knex().raw(
        `with debited as (update accounts set balance = balance - 1 where team_id = 'acme' returning id)
         insert into ledger_entries (account_id, units, reason, created_at)
         select id, -1, 'Debit', service_now() - ? * interval '1 day' from debited`,
        [days],
      );
      await sealLedgers(knex(), archive.secrets);
    }
  };
  const start = async () => {
    await topUp(managementOn(opened()), { ...account, units: 100, reference: 'invoice 1' });
    await byHand(knex(), `update ledger_entries set created_at = service_now() - interval '500 days'`);
    await sealLedgers(knex(), archive.secrets);
  };
  const checked = (problem: string | null, more: object = {}) => [{ account: 'acme/Sms', problem, ...more }];
  const entries = async () => Number((await archive.rows()).ledger_entries ?? 0);

  test('verifies across the cut, and goes on from it', async () => {
    await start();
    await spend(450, 440, 430);
    await spend(2, 1);
    const before = await tarishi('statement verify --archive');
    await archive.run();
    // The top-up stays for its reference.
    expect(await entries()).toBe(3);
    await spend(0);
    const after = await tarishi('statement verify --archive');
    expect([before, after]).toMatchObject([
      checked(null, { archived: 0, entries: 6, balance: 95, confirmedThrough: 6 }),
      checked(null, { archived: 4, entries: 7, balance: 94, confirmedThrough: 7 }),
    ]);
    expect(await missingSeals(knex(), archive.secrets)).toBe(0);
    expect(await inspectSeals(knex(), archive.secrets, 1_000)).toEqual([]);
    expect(await tarishi('archive verify')).toMatchObject({ ledgerEntries: 4 });
    const statement = JSON.parse((await tarishi('statement show acme --product Sms')) as string);
    expect(statement).toMatchObject({
      opening: { entries: 4, balance: 97 },
      closing: { entries: 7, balance: 94 },
    });
    await expect(
      topUp(managementOn(opened()), { ...account, units: 100, reference: 'invoice 1' }),
    ).resolves.toMatchObject({ balance: 94 });
  });

  test('is found with the requests that it was paid for', async () => {
    await start();
    const [mine, other] = [await archive.accepted(405), await archive.accepted(404)];
    for (const [id, reason, days] of [
      [mine, 'Debit', 405],
      [other, 'Debit', 404],
      [mine, 'Refund', 403],
    ] as const)
      await knex().raw(
        `insert into ledger_entries (account_id, units, reason, request_id, message_id, created_at)
         select a.id, case :reason when 'Debit' then -1 else 1 end, :reason, :id, case :reason when 'Refund' then m.id end,
           service_now() - :days * interval '1 day'
         from accounts a, messages m where a.team_id = 'acme' and m.request_id = :id`,
        { id, reason, days },
      );
    await knex()('messages')
      .where({ request_id: mine })
      .update({ final_at: knex().raw(`service_now() - interval '403 days'`) });
    await sealLedgers(knex(), archive.secrets);
    await archive.run();
    const lines = String(await tarishi(`archive find --request ${mine}`))
      .trim()
      .split('\n');
    const entry = { kind: 'entry', teamId: 'acme', product: 'Sms', requestId: mine };
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { kind: 'request', request: { id: mine } },
      { ...entry, position: 2, units: -1, reason: 'Debit', balance: 99 },
      { ...entry, position: 4, units: 1, reason: 'Refund', balance: 99 },
    ]);
  });

  test('names the account whose entry in the database was changed, or that lacks its archive', async () => {
    await start();
    await spend(450, 2, 1);
    await archive.run();
    const last = 'where id = (select max(id) from ledger_entries)';
    await byHand(knex(), `update ledger_entries set units = -2 ${last}`);
    expect(await tarishi('statement verify --archive')).toMatchObject(
      checked('entry 4, or one before it, is not what the service has sealed'),
    );
    await byHand(knex(), `update ledger_entries set units = -1 ${last}`);
    rmSync(fileURLToPath(archive.url), { recursive: true });
    await knex()('archive_segments').delete();
    expect(await tarishi('statement verify --archive')).toMatchObject(
      checked('entries 1 to 2 are neither in the archive nor here'),
    );
  });

  test('cannot be cut by hand unnoticed', async () => {
    await start();
    await spend(450);
    await expect(knex()('ledger_entries').delete()).rejects.toThrow('never changed or deleted');
    await knex().raw(
      `insert into ledger_cuts select account_id, number, last_entry_id from ledger_seals where number = 2`,
    );
    await knex()('ledger_entries').delete();
    expect(await missingSeals(knex(), archive.secrets)).toBeNaN();
  });

  test('entries that were changed by hand do not leave', async () => {
    await start();
    await spend(450);
    await byHand(knex(), `update ledger_entries set units = -2 where reason = 'Debit'`);
    await expect(archive.run()).rejects.toThrow('do not match it: see the doctor');
    expect(await entries()).toBe(2);
  });
});
