/** A STOP while messages to the number are scheduled, queued and claimed by two workers: nothing more leaves. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Connector } from '../connectors/contract/connector.ts';
import { addOptOuts } from '../products/consent/opt-out-repository.ts';
import { createLanes } from './lanes.ts';
import { releaseRound } from './scheduled/release.ts';
import { delivered, hashPhone, openedDelivery } from './testing.ts';

const phone = '+254711000000';
const units = 2_000;

const delivery = openedDelivery();
beforeAll(async () => {
  await delivery.knex('teams').insert({ id: 't', name: 't' });
  await delivery.reset(units);
});

test('each of 1,000 messages is sent, or refunded once, and none leaves that was claimed after the STOP', async () => {
  const { knex } = delivery;
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const ten = (more: object) => Array.from({ length: 10 }, () => ({ phone, ...more }));
  for (let request = 0; request < 70; request += 1) await delivery.acceptRequest({}, ten({}));
  for (let request = 0; request < 29; request += 1)
    await delivery.acceptRequest({ schedule: { sendAt } }, ten({ sendAt }));
  await delivery.acceptRequest({ category: 'AUTHENTICATION' }, ten({}));

  const sent: string[] = [];
  let stopped = false;
  const late: string[] = [];
  const stop = async () => {
    const scope = { product: 'sms', teamId: 't', serviceId: null, target: 'MARKETING' } as const;
    await addOptOuts(knex, [phone], { ...scope, source: 'Keyword' }, hashPhone);
    stopped = true;
  };
  const connector: Connector = {
    send: async (messages) =>
      messages.map(({ id }) => {
        sent.push(id);
        return delivered;
      }),
  };
  const all = delivery.dependencies({ sms: connector });
  /** Its look-up of a lot tells which messages were claimed when. */
  const worker = () => {
    const claimed = {
      ...all,
      findOptedOut: async (messages: Parameters<typeof all.findOptedOut>[0]) => {
        if (stopped) late.push(...messages.map(({ id }) => id));
        return all.findOptedOut(messages);
      },
    };
    return createLanes(claimed);
  };
  const workers = [worker(), worker()];
  const round = () =>
    Promise.all(
      workers.map(async (lanes) => {
        await lanes.round();
        await lanes.drain();
      }),
    );
  while (sent.length < 200) await round();
  const stopping = stop();
  await Promise.all([round(), stopping]);
  await knex.raw(`update messages set send_at = service_now() where state = 'Scheduled'`);
  while (await releaseRound(all, () => {}));
  while ((await knex('jobs').where({ queue: 'deliver' })).length > 0) await round();

  const messages = await knex('messages')
    .join('requests', 'requests.id', 'messages.request_id')
    .select('messages.id', 'messages.state', 'requests.category');
  const states = new Map(messages.map(({ id, state }) => [String(id), state]));
  const marketing = messages.filter(({ category }) => category === 'MARKETING');
  expect(messages).toHaveLength(1_000);
  expect(new Set(sent).size).toBe(sent.length);
  expect(marketing.map(({ state }) => state)).toEqual(
    marketing.map(({ id }) => (sent.includes(String(id)) ? 'Delivered' : 'SubscriberOptedOut')),
  );
  expect(late.filter((id) => states.get(id) !== 'SubscriberOptedOut')).toEqual(
    messages
      .filter(({ id, category }) => category === 'AUTHENTICATION' && late.includes(String(id)))
      .map(({ id }) => String(id)),
  );
  expect(late.length).toBeGreaterThan(290);
  const stoppedCount = messages.filter(({ state }) => state === 'SubscriberOptedOut').length;
  expect(await delivery.balance()).toBe(units - 1_000 + stoppedCount);
  const refunds = await knex('ledger_entries').where({ reason: 'Refund' });
  expect(refunds.reduce((sum, { units: refunded }) => sum + Number(refunded), 0)).toBe(stoppedCount);
});
