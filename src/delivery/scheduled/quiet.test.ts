/** Promotional messages outside their window: they wait until it opens, or expire before. */
import { beforeEach, expect, test } from '@jest/globals';
import { setClock } from '../../platform/db/testing.ts';
import type { LaneDependencies } from '../lanes.ts';
import { delivered, network, openedDelivery } from '../testing.ts';
import { releaseRound } from './release.ts';

const delivery = openedDelivery(100);
beforeEach(() => setClock(delivery.knex, 0));

/** The windows of numbers that end in 1 open in so many minutes. */
function dependenciesUntil(minutes: number) {
  const safaricom = network(() => delivered);
  const until = new Date(Date.now() + minutes * 60_000);
  const all: LaneDependencies = {
    ...delivery.dependencies({ sms: safaricom.connector }),
    findOpenings: async (messages) =>
      new Map(messages.filter(({ phone }) => phone.endsWith('1')).map(({ id }) => [id, until])),
  };
  return { all, sent: safaricom.sent };
}

test('one waits for its window, and leaves when that is open; others leave at once', async () => {
  await delivery.acceptRequest({}, [{ phone: '+254711000001' }, { phone: '+254711000002' }]);
  const closed = dependenciesUntil(30);
  await delivery.deliverRound(closed.all);
  expect(closed.sent).toEqual(['+254711000002']);
  expect(await delivery.states()).toEqual(['Scheduled', 'Delivered']);
  expect(await delivery.knex('jobs')).toEqual([]);
  const open = delivery.dependencies({ sms: network(() => delivered).connector });
  await setClock(delivery.knex, 29);
  await releaseRound(open, () => {});
  expect(await delivery.states()).toEqual(['Scheduled', 'Delivered']);
  await setClock(delivery.knex, 30.1);
  await releaseRound(open, () => {});
  await delivery.deliverRound(open);
  expect(await delivery.states()).toEqual(['Delivered', 'Delivered']);
  expect(await delivery.receipts()).toEqual(['Delivered', 'Delivered']);
});

test('one that expires before its window opens expires then, and is refunded', async () => {
  await delivery.accept({ phone: '+254711000001' });
  // Its validity is an hour.
  const { all, sent } = dependenciesUntil(600);
  await delivery.deliverRound(all);
  expect(await delivery.states()).toEqual(['Scheduled']);
  await setClock(delivery.knex, 61);
  await releaseRound(all, () => {});
  await delivery.deliverRound(all);
  expect([sent, await delivery.states(), await delivery.balance()]).toEqual([[], ['Expired'], 100]);
});

test('one that its network did not answer for does not wait: it may have arrived', async () => {
  await delivery.accept({ phone: '+254711000001' });
  const silent = network(() => ({ kind: 'later', delaySeconds: 1, unanswered: true }));
  await delivery.deliver({ sms: silent.connector });
  await delivery.hurry();
  const { all, sent } = dependenciesUntil(30);
  await delivery.deliverRound(all);
  expect(sent).toEqual(['+254711000001']);
});

test('the switch of the service and the zone of the request are known when a message is claimed', async () => {
  const team_id = 'loud';
  await delivery.knex('teams').insert({ id: team_id, name: team_id });
  const service = { team_id, name: 'loud', quiet_hours: false };
  await delivery.knex('services').insert({ ...service, id: 'loud-sms', sender: 'LOUD' });
  await delivery.knex('chatapp_services').insert({ ...service, id: 'loud-chat' });
  const free = { units: 0, accountId: null };
  await delivery.acceptRequest({ resourceId: 'loud-sms', timeZone: 'America/New_York' }, [free]);
  await delivery.acceptRequest({ resourceId: 'loud-chat' }, [{ ...free, product: 'chatapp' }]);
  await delivery.accept(free);
  const claimed: [boolean, string | null][] = [];
  const { connector } = network(() => delivered);
  await delivery.deliverRound({
    ...delivery.dependencies({ sms: connector, chatapp: connector }),
    findOpenings: async (messages) => {
      for (const { quietHours, timeZone } of messages) claimed.push([quietHours, timeZone]);
      return new Map();
    },
  });
  expect(claimed.sort()).toEqual([
    [false, null],
    [false, 'America/New_York'],
    [true, null],
  ]);
});
