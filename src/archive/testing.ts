/** A database whose history tests make, and an archiver that takes it to a directory. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startSealCount } from '../ledger/seal-repository.ts';
import type { Database } from '../platform/db/knex.ts';
import { openedForAll } from '../platform/db/opened-testing.ts';
import { openTestDatabase } from '../platform/db/testing.ts';
import { type Parts, withoutRest } from '../platform/isolation/parts.ts';
import { createSecrets, type Secrets } from '../platform/secrets/secrets.ts';
import { newTimedId } from '../platform/timed-id.ts';
import { type ArchiverDependencies, createArchiver } from './archiver.ts';
import { openArchive } from './open-archive.ts';
import type { ArchiveStore } from './store.ts';

export const periods = { texts: 7, receipts: 30, numbers: 90, rows: 400 };

export interface Given {
  team?: string;
  messages?: number;
  /** Of the number, as retention leaves it. */
  phone?: string;
  content?: string;
  state?: string;
  receipt?: string;
  body?: string;
  trace?: string;
  receiptTrace?: string;
}

export interface Archive {
  database: Database;
  secrets: Secrets;
  url: string;
  store: ArchiveStore;
  /** Stores a request that was accepted so many days ago, with messages and receipts that were erased. Returns its id. */
  accepted: (daysAgo: number, given?: Given) => Promise<string>;
  /** Stores a message that a phone sent so many days ago, with its receipt. Returns its id. */
  received: (daysAgo: number, given?: Pick<Given, 'team' | 'phone'>) => Promise<string>;
  /** How many rows the tables have. */
  rows: () => Promise<Record<string, number>>;
  /** Runs steps until nothing is due; the next round begins at once. */
  run: (dependencies?: Partial<ArchiverDependencies>) => Promise<void>;
  /** One archiver, for one step at a time. */
  archiver: (dependencies?: Partial<ArchiverDependencies>) => ReturnType<typeof createArchiver>;
  close: () => Promise<void>;
}

const tables = ['requests', 'messages', 'message_parts', 'receipts', 'inbound_messages', 'ledger_entries'];

/** For all tests of a file. */
export const testArchive = (): Archive => openedForAll(openTestArchive, ({ close }) => close());

export async function openTestArchive(): Promise<Archive> {
  const database = await openTestDatabase(process.env.DATABASE_URL);
  const { knex } = database;
  const directory = mkdtempSync(join(tmpdir(), 'tarishi-archive-'));
  const url = pathToFileURL(join(directory, 'archive')).href;
  const store = openArchive(url);
  const secrets = createSecrets(randomBytes(32));
  await startSealCount(knex, secrets);
  await knex('teams').insert(['acme', 'brief'].map((id) => ({ id, name: id })));
  await knex('teams').where({ id: 'brief' }).update({ row_days: 100 });
  await knex.raw(`update count_progress set message_id = 1000000`);
  const at = (daysAgo: number) => knex.raw(`service_now() - ? * interval '1 day'`, [daysAgo]);
  const parts: Parts = withoutRest;
  const archiver: Archive['archiver'] = (dependencies = {}) =>
    createArchiver({
      knex,
      store,
      key: secrets,
      periods,
      parts,
      rest: async () => {},
      isEnding: () => false,
      ...dependencies,
    });
  return {
    database,
    secrets,
    url,
    store,
    archiver,
    accepted: async (daysAgo, given = {}) => {
      const {
        team = 'acme',
        messages = 1,
        phone = `#${'0'.repeat(64)}`,
        content = '',
        state = 'Delivered',
      } = given;
      const id = newTimedId(Date.now() - daysAgo * 86_400_000);
      const common = { team_id: team, client_id: 'orders' };
      const row = { ...common, id, operation: 'sendSms', resource_id: 'orders', created_at: at(daysAgo) };
      await knex('requests').insert({ ...row, trace: given.trace ?? null });
      for (let position = 0; position < messages; position += 1) {
        const [{ id: message_id }] = await knex('messages')
          .insert({
            request_id: id,
            team_id: team,
            position,
            product: 'sms',
            channel: 'Safaricom',
            phone,
            content,
            units: 1,
            state,
            final_at: state === 'Submitted' ? null : at(daysAgo),
          })
          .returning('id');
        await knex('receipts').insert({
          ...common,
          id: newTimedId(),
          request_id: id,
          message_id,
          url: 'https://shop.example',
          origin_key: newTimedId(),
          body: given.body ?? '',
          trace: given.receiptTrace ?? null,
          state: given.receipt ?? 'Delivered',
          created_at: at(daysAgo),
        });
      }
      return id;
    },
    received: async (daysAgo, { team = 'acme', phone = `#${'0'.repeat(64)}` } = {}) => {
      const id = newTimedId();
      await knex('inbound_messages').insert({
        id,
        team_id: team,
        product: 'sms',
        service_id: 'orders',
        connector: 'smsc',
        phone,
        recipient: '22141',
        kind: 'text',
        text: null,
        received_at: at(daysAgo),
      });
      await knex('receipts').insert({
        id,
        team_id: team,
        client_id: 'orders',
        url: 'https://shop.example',
        origin_key: id,
        body: '',
        state: 'Delivered',
      });
      return id;
    },
    rows: async () => {
      const counts = await Promise.all(
        tables.map(async (table) => [table, Number((await knex(table).count('* as n'))[0]?.n)] as const),
      );
      return Object.fromEntries(counts.filter(([, count]) => count > 0));
    },
    run: async (dependencies) => {
      await knex.raw(`update archive set next_round_at = '-infinity', held_until = '-infinity'`);
      const one = archiver(dependencies);
      while (await one.step());
      await one.end();
    },
    close: async () => {
      await database.close();
      rmSync(directory, { recursive: true });
    },
  };
}
