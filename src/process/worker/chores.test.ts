/** One round of the chores, against a real database. */
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createKeyRepository } from '../../accept/repository.ts';
import { steadyPace } from '../../delivery/pace.ts';
import { systemClock } from '../../platform/clock.ts';
import { createSecrets } from '../../platform/secrets/secrets.ts';
import { createQueue } from '../../queue/queue.ts';
import { consequences, recordedMessages, submitted } from '../../receipts/record-testing.ts';
import { createEvents } from '../events.ts';
import { runChores, startClockWatch, startHousekeeping, startUpkeep } from './chores.ts';

const registry = new Registry();
const logger = pino({ level: 'silent' });
const retention = {
  retentionDays: { texts: 7, receipts: 30, numbers: 90 },
  hashPhone: createSecrets(randomBytes(32)).hashPhone,
  ledgerKey: createSecrets(randomBytes(32)),
};
const messages = recordedMessages();

/** Starting begins a round, stopping waits for its end. */
async function oneRound(): Promise<void> {
  const { knex } = messages.database;
  const keys = createKeyRepository(knex);
  const events = createEvents(registry, logger);
  await startHousekeeping({
    ...retention,
    knex,
    queue: createQueue(knex),
    validitySeconds: 3_600,
    keys,
    inbound: {
      knex,
      parsePhone: () => undefined,
      hashPhone: (phone) => phone,
      events,
      onPosts: () => {},
      actOn: async () => new Map(),
    },
    consequences,
    events,
    onReceipts: () => {},
    logger,
  }).stop();
  registry.clear();
}

async function handedOver(hoursAgo: number): Promise<string[]> {
  const ids = await messages.accept(1);
  await messages.record(...ids.map(submitted));
  await messages.database.knex.raw(
    `update messages set submitted_at = now() - ? * interval '1 hour' where id = any(?)`,
    [hoursAgo, ids],
  );
  return ids;
}

test('a chore that fails does not stop the next ones', async () => {
  const done: string[] = [];
  const chores = {
    first: () => Promise.reject(new Error('first')),
    second: async () => {
      done.push('second');
      return true;
    },
    third: async () => {
      done.push('third');
      return false;
    },
  };
  expect([await runChores(chores, logger), done]).toEqual([true, ['second', 'third']]);
});

describe('one round', () => {
  test('ends messages that were silent for 72 hours, and leaves the others', async () => {
    const silent = await handedOver(72.1);
    const waiting = await handedOver(71.9);
    await oneRound();
    expect(await messages.statesOf([...silent, ...waiting])).toEqual(['DeliveryUncertain', 'Submitted']);
    expect(await messages.receiptsOf(silent)).toHaveLength(1);
    expect(await messages.refundsOf(silent)).toEqual([]);
  });

  const fingerprinted = { client_id: 'client', operation: 'sendSms', fingerprint: 'f', accepted: '{}' };
  test.each([
    ['Idempotency-Keys after 24 hours', 24, 'idempotency_keys', 'key', 'created_at', fingerprinted],
    ['counts of codes after 15 days', 15 * 24, 'code_counts', 'place', 'hour', { team_id: 'demo' }],
    [
      'network ids of parts after 30 days',
      30 * 24,
      'message_parts',
      'network_id',
      'created_at',
      { connector: 'smsc', message_id: 1, parts: 1 },
    ],
  ] as const)('deletes %s, not before', async (_what, hours, table, name, at, columns) => {
    const { knex } = messages.database;
    for (const [called, age] of Object.entries({ old: hours + 0.1, young: hours - 0.1 }))
      await knex(table).insert({
        ...{ [name]: called, [at]: knex.raw("now() - ? * interval '1 hour'", [age]) },
        ...columns,
      });
    await oneRound();
    expect(await knex(table).pluck(name)).toEqual(['young']);
  });

  test('deletes sessions of the console after 30 idle minutes, in batches, not before', async () => {
    const { knex } = messages.database;
    await knex('users').insert({ id: 'amina', name: 'Amina', role: 'viewer', key_hashes: '[]' });
    const session = (idHash: string, minutes: number) => ({
      id_hash: idHash,
      user_id: 'amina',
      sso_name: 'amina',
      address: '127.0.0.1',
      browser: '',
      used_at: knex.raw("now() - ? * interval '1 minute'", [minutes]),
    });
    await knex('console_sessions').insert([session('young', 29), session('old', 30.1)]);
    await knex.batchInsert(
      'console_sessions',
      Array.from({ length: 600 }, (_, number) => session(`older ${number}`, 40)),
      200,
    );
    await oneRound();
    await oneRound();
    expect(await knex('console_sessions').pluck('id_hash')).toEqual(['young']);
  });
});

test('a process that starts after the clock was set back moves what waits for it', async () => {
  const { knex } = messages.database;
  await knex('jobs').insert({
    queue: 'poll',
    data: '{}',
    ...Object.fromEntries(['due_at', 'written_at'].map((at) => [at, knex.raw("now() + interval '1 hour'")])),
  });
  await startClockWatch(knex, logger, steadyPace).stop();
  const due = await knex('jobs').whereRaw('due_at <= now()').delete();
  expect(due).toBe(1);
});

const embedded = process.env.DATABASE_URL === undefined;
if (!embedded) process.stdout.write('skipped: PostgreSQL vacuums and makes checkpoints by itself\n');

(embedded ? describe : describe.skip)('one round of upkeep', () => {
  test('frees the room of dead rows', async () => {
    const { knex } = messages.database;
    const bytes = async (): Promise<number> => {
      const { rows } = await knex.raw(`select pg_relation_size('rate_windows')::integer as bytes`);
      return rows[0].bytes;
    };
    const churn = () =>
      knex.raw(`do $$ begin for i in 1..500 loop
        update rate_windows set newest = newest + 1; end loop; end $$`);
    await knex('rate_windows').insert({ key: 'busy' });
    await churn();
    const before = await bytes();
    await startUpkeep(knex, systemClock, logger, steadyPace).stop();
    await churn();
    expect(await bytes()).toBeLessThanOrEqual(before);
  });
});
