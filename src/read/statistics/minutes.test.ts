/** What this process does is counted once, by minute, of each team and of all together. */
import { beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { Plan } from '../../model/plan.ts';
import type { ReachedState } from '../../model/states.ts';
import { testDatabase } from '../../platform/db/opened-testing.ts';
import { clearTables } from '../../platform/db/testing.ts';
import { createEvents } from '../../process/events.ts';
import { addToMinute, purgeMinutes, readMinutes } from './minute-repository.ts';
import { createMinuteCounts } from './minutes.ts';

const database = testDatabase();
beforeEach(() => clearTables(database.knex, 'minute_counts'));

function start() {
  const minutes = createMinuteCounts();
  const events = minutes.counting(createEvents(new Registry(), pino({ level: 'silent' })));
  return { events, store: () => minutes.flush((counts) => addToMinute(database.knex, counts)) };
}

const accepted = (teamId: string, ...messages: [product: string, channel: string][]) =>
  ({
    teamId,
    operation: 'sendSms',
    messages: messages.map(([product, channel]) => ({ product, channel })),
  }) as unknown as Plan;
const reached = (product: string, channel: string, state: string, wasDelivered = false) =>
  ({
    teamId: 'acme',
    product,
    channel,
    state,
    wasDelivered,
  }) as unknown as ReachedState;
const counted = async (team?: string) =>
  (await readMinutes(database.knex, team, 60)).items.map(({ minute: _, ...counts }) => Object.values(counts));

test('messages are counted by team and channel; several processes add to the same minute', async () => {
  const [one, other] = [start(), start()];
  one.events.requestAccepted(accepted('acme', ['sms', 'Safaricom'], ['sms', 'Airtel'], ['chatapp', '10654']));
  other.events.requestAccepted(accepted('rival', ['sms', 'Safaricom']));
  one.events.stateReached(reached('sms', 'Safaricom', 'Delivered'));
  other.events.stateReached(reached('sms', 'Safaricom', 'AbsentSubscriber'));
  await one.store();
  await other.store();
  await one.store();
  expect(await counted()).toEqual([
    ['chatapp', '', 1, 0, 0],
    ['sms', 'Airtel', 1, 0, 0],
    ['sms', 'Safaricom', 2, 1, 1],
  ]);
  expect(await counted('rival')).toEqual([['sms', 'Safaricom', 1, 0, 0]]);
});

test('a message is delivered once, though it is read later, and no step on its way is an outcome', async () => {
  const { events, store } = start();
  events.stateReached(reached('chatapp', '10654', 'Sent'));
  events.stateReached(reached('chatapp', '10654', 'Delivered'));
  events.stateReached(reached('chatapp', '10654', 'Read', true));
  events.stateReached(reached('chatapp', '10654', 'Read'));
  await store();
  expect(await counted('acme')).toEqual([['chatapp', '', 0, 2, 0]]);
});

test('minutes are kept for two hours', async () => {
  const { events, store } = start();
  events.requestAccepted(accepted('acme', ['sms', 'Safaricom']));
  await store();
  await purgeMinutes(database.knex, 120);
  expect(await database.knex('minute_counts')).toHaveLength(2);
  await database.knex.raw(`update minute_counts set minute = minute - interval '122 minutes'`);
  await purgeMinutes(database.knex, 120);
  expect(await database.knex('minute_counts')).toHaveLength(0);
});
