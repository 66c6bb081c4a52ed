/** Which messages wait for the end of quiet hours: promotional ones, in countries whose hours are enabled. */
import { expect, test } from '@jest/globals';
import type { QueuedMessage } from '../../delivery/repository.ts';
import { testDatabase } from '../../platform/db/opened-testing.ts';
import { createFindOpenings } from './quiet-hours.ts';

const database = testDatabase();

// 21:00 in Nairobi.
const nowMs = Date.UTC(2026, 10, 23, 18);

const message = (id: string, more: Partial<QueuedMessage> = {}): QueuedMessage => ({
  id,
  requestId: '',
  teamId: 't',
  priority: 2,
  product: 'sms',
  channel: 'Safaricom',
  sender: null,
  requestSender: null,
  phone: '+254711000000',
  content: '',
  resourceId: 's',
  serviceId: 's',
  category: 'MARKETING',
  confirmation: false,
  state: 'Queued',
  connector: null,
  ageSeconds: 0,
  leftSeconds: 1,
  trace: null,
  notBefore: null,
  quietHours: true,
  timeZone: null,
  sendAt: null,
  ...more,
});

test('of all messages at night, those that promote something, where hours are enabled', async () => {
  const messages = [
    message('promotion'),
    message('notice', { category: 'UTILITY' }),
    message('code', { category: 'AUTHENTICATION' }),
    message('bundle', { product: 'data' }),
    message('abroad', { phone: '+27821234567' }),
    message('of a service without quiet hours', { quietHours: false }),
    message('released by a clock that is ahead', { sendAt: new Date(Date.UTC(2026, 10, 24, 5)) }),
  ];
  const find = () =>
    createFindOpenings({ clock: { now: () => nowMs, elapsedMs: () => 0 }, database })(messages);
  expect(await find()).toEqual(new Map());
  await database.knex('quiet_hours').where({ country: 'KE' }).update({ enabled: true });
  expect(await find()).toEqual(new Map([['promotion', new Date(Date.UTC(2026, 10, 24, 5))]]));
});
