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

  test('deletes Idempotency-Keys after 24 hours, not before', async () => {
    const { knex } = messages.database;
    for (const [key, hours] of Object.entries({ old: 24.1, young: 23.9 }))
      await knex('idempotency_keys').insert({
        client_id: 'client',
        operation: 'sendSms',
        key,
        fingerprint: 'f',
        accepted: '{}',
        created_at: knex.raw("now() - ? * interval '1 hour'", [hours]),
      });
    await oneRound();
    expect(await knex('idempotency_keys').pluck('key')).toEqual(['young']);
  });

  test('deletes counts of codes after 15 days, not before', async () => {
    const { knex } = messages.database;
    for (const [place, days] of Object.entries({ KE: 15.1, TZ: 14.9 }))
      await knex('code_counts').insert({
        team_id: 'demo',
        place,
        hour: knex.raw("now() - ? * interval '1 day'", [days]),
      });
    await oneRound();
    expect(await knex('code_counts').pluck('place')).toEqual(['TZ']);
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

  test('deletes network ids of parts after 30 days, not before', async () => {
    const { knex } = messages.database;
    for (const [name, days] of Object.entries({ old: 30.1, young: 29.9 }))
      await knex('message_parts').insert({
        connector: 'smsc',
        network_id: name,
        message_id: 1,
        parts: 1,
        created_at: knex.raw("now() - ? * interval '1 day'", [days]),
      });
    await oneRound();
    expect(await knex('message_parts').pluck('network_id')).toEqual(['young']);
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
