/** Seals of ledgers are keyed: altered entries are found, even if all hashes were computed anew. */
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { testDatabase } from '../platform/db/opened-testing.ts';
import { clearTables } from '../platform/db/testing.ts';
import { createSecrets } from '../platform/secrets/secrets.ts';
import { accountsUnlikeLedger, inspectSeals, missingSeals } from './inspection-repository.ts';
import { sealLedgers, startSealCount } from './seal-repository.ts';

const secrets = createSecrets(randomBytes(32));
const database = testDatabase((knex) => knex('teams').insert({ id: 'acme', name: 'Acme' }));
let accountId: string;

beforeEach(async () => {
  await clearTables(database.knex, 'accounts');
  const account = { team_id: 'acme', product: 'sms' };
  [{ id: accountId }] = await database.knex('accounts').insert(account).returning('id');
  await database.knex.transaction((trx) => startSealCount(trx, secrets));
});

const seal = () => sealLedgers(database.knex, secrets);
const inspect = () => inspectSeals(database.knex, secrets, 1_000);

async function addEntry(): Promise<void> {
  await database.knex('ledger_entries').insert({ account_id: accountId, units: 1, reason: 'TopUp' });
  await database.knex('accounts').where({ id: accountId }).increment('balance', 1);
}

describe('who can write to the database but lacks the key cannot make it look right', () => {
  /** Somebody who can do this can also turn off what protects the rows. */
  const rewrite = async (how: () => Promise<unknown>) => {
    for (const table of ['ledger_entries', 'ledger_seals'])
      await database.knex.raw(`alter table ${table} disable trigger user`);
    await how();
    for (const table of ['ledger_entries', 'ledger_seals'])
      await database.knex.raw(`alter table ${table} enable trigger user`);
  };
  const give = async () => {
    await database.knex('ledger_entries').where({ account_id: accountId }).update({ units: 501 });
    await database.knex('accounts').where({ id: accountId }).update({ balance: 501 });
  };
  /** As they would be if the service had sealed the entries; with a key of their own. */
  const sealAsOthers = (others: ReturnType<typeof createSecrets>) => async () => {
    await database.knex('ledger_seals').delete();
    await database.knex.transaction((trx) => startSealCount(trx, others));
    await sealLedgers(database.knex, others);
  };

  beforeEach(async () => {
    await addEntry();
    await seal();
  });

  test('seals made with another key', async () => {
    await rewrite(async () => {
      await give();
      await sealAsOthers(createSecrets(randomBytes(32)))();
    });
    expect(await inspect()).toMatchObject([{ first: 1, last: 1, forged: true }]);
    expect(await missingSeals(database.knex, secrets)).toBeNaN();
    await addEntry();
    // Nothing is built upon them.
    await expect(seal()).rejects.toThrow('the last seal of account');
  });

  test('seals that were deleted, which the service makes again', async () => {
    await rewrite(async () => {
      await give();
      await database.knex('ledger_seals').delete();
    });
    await seal();
    expect(await accountsUnlikeLedger(database.knex)).toEqual([]);
    expect(await missingSeals(database.knex, secrets)).toBe(1);
  });

  test('the end of a ledger that was cut off with its seal', async () => {
    await addEntry();
    await seal();
    await rewrite(async () => {
      await database.knex('ledger_seals').where({ number: 2 }).delete();
      await database.knex.raw('delete from ledger_entries where id = (select max(id) from ledger_entries)');
      await database.knex('accounts').where({ id: accountId }).update({ balance: 1 });
    });
    expect([await inspect(), await accountsUnlikeLedger(database.knex)]).toEqual([[], []]);
    expect(await missingSeals(database.knex, secrets)).toBe(1);
  });

  test.each([
    ['number', 7],
    ['entries', 2],
    ['balance', 501],
    ['hash', 'f'.repeat(64)],
  ])('a seal with another %s', async (column, value) => {
    await rewrite(async () => {
      await database.knex('ledger_seals').update({ [column]: value });
    });
    expect(await inspect()).toMatchObject([{ forged: true }]);
  });

  test('a copy of a true seal in the place of one that was deleted', async () => {
    await addEntry();
    await seal();
    await rewrite(async () => {
      await database.knex('ledger_seals').where({ number: 2 }).delete();
      await database.knex.raw(
        `insert into ledger_seals (account_id, number, entries, last_entry_id, balance, hash, latest_at, confirmation)
         select account_id, 2, entries, last_entry_id, balance, hash, latest_at, confirmation from ledger_seals`,
      );
    });
    expect(await missingSeals(database.knex, secrets)).toBe(0);
    expect(await inspect()).toMatchObject([{ forged: true }]);
  });
});
