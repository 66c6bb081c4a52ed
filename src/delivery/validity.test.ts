/** How long a message may wait for its network: as long as the service says that sends it. */
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Plan, PlannedMessage } from '../model/plan.ts';
import { setClock } from '../platform/db/testing.ts';
import { moveWaiting } from '../queue/clock-set-back.ts';
import { claimAll } from '../queue/testing.ts';
import { loadQueuedMessages } from './repository.ts';
import { openedDelivery } from './testing.ts';

const defaultSeconds = 3_600;
const campaignSeconds = 7_200;
const chosenSeconds = 60;

const delivery = openedDelivery(10);
beforeAll(async () => {
  const { knex } = delivery;
  await knex('teams').insert({ id: 'team', name: 'Team' });
  const service = { team_id: 'team', name: 'SMS', sender: 'TARISHI' };
  await knex('services').insert([
    { ...service, id: 'of-campaign', validity_seconds: campaignSeconds },
    { ...service, id: 'chosen', validity_seconds: chosenSeconds },
    { ...service, id: 'silent', validity_seconds: null },
  ]);
  await knex('campaigns').insert({
    id: 'rewards',
    team_id: 'team',
    name: 'Rewards',
    service_id: 'of-campaign',
    allowed_denominations: '["1GB"]',
    frequency: 'Unlimited',
  });
});

const disbursement = { operation: 'disburseMobileData', resourceId: 'rewards' };
const withSms = (smsServiceId: string) => ({ ...disbursement, smsServiceId });
const chatApp = { product: 'chatapp' } as const;
const bundle = { product: 'data', content: '1GB' } as const;

describe('a message waits as long as', () => {
  test.each<[rule: string, Partial<Plan>, Partial<PlannedMessage>, seconds: number | null]>([
    ['its service allows', { resourceId: 'chosen' }, {}, chosenSeconds],
    ['the settings allow, if its service says nothing', { resourceId: 'silent' }, {}, null],
    ['the chosen service says, an SMS beside a bundle', withSms('chosen'), {}, chosenSeconds],
    ['the settings say, if that service says nothing', withSms('silent'), {}, null],
    // Of a request from before services were noted.
    ["the campaign's service says, an SMS whose service is not known", disbursement, {}, campaignSeconds],
    ["the campaign's service says, a bundle", withSms('chosen'), bundle, campaignSeconds],
    ['the settings say, a chat-app message', { operation: 'sendChatAppTemplate' }, chatApp, null],
  ])('%s', async (_rule, request, message, seconds) => {
    const { knex } = delivery;
    await delivery.acceptRequest(request, [message]);
    const jobs = (await claimAll(delivery.queue)).map(({ data }) => data);
    const [queued] = await loadQueuedMessages(knex, jobs, defaultSeconds);
    // The test itself takes some of it.
    const allowed = seconds ?? defaultSeconds;
    expect(queued?.validSeconds).toBeLessThanOrEqual(allowed);
    expect(queued?.validSeconds).toBeGreaterThan(allowed / 2);
  });
});

describe('when the clock is set back by an hour, a message waits', () => {
  afterEach(() => setClock(delivery.knex, 0));

  /** What is left of its validity, by its job and by itself. */
  const left = async () => {
    const { knex, queue } = delivery;
    const { rows } = await knex.raw<{ rows: { seconds: number }[] }>(
      'select extract(epoch from expires_at - service_now())::float8 as seconds from jobs',
    );
    const [queued] = await loadQueuedMessages(
      knex,
      (await claimAll(queue)).map(({ data }) => data),
      defaultSeconds,
    );
    return [rows[0]?.seconds ?? 0, queued?.validSeconds ?? 0];
  };

  test('as long as its service allows, and not an hour longer', async () => {
    await setClock(delivery.knex, 60);
    await delivery.acceptRequest({ resourceId: 'chosen', validitySeconds: chosenSeconds }, [{}]);
    await setClock(delivery.knex, 0);
    await moveWaiting(delivery.knex);
    await setClock(delivery.knex, 0.5);
    for (const seconds of await left()) {
      expect(seconds).toBeGreaterThan(chosenSeconds / 2 - 20);
      expect(seconds).toBeLessThanOrEqual(chosenSeconds / 2);
    }
  });

  test('as long as was left to it, if it is due', async () => {
    await setClock(delivery.knex, -1);
    await delivery.acceptRequest({ resourceId: 'of-campaign', validitySeconds: campaignSeconds }, [{}]);
    await setClock(delivery.knex, 60);
    // It keeps its place, and is written again.
    await delivery.knex('jobs').update({ written_at: delivery.knex.raw('service_now()') });
    await setClock(delivery.knex, 0);
    await moveWaiting(delivery.knex);
    const [byJob = 0] = await left();
    expect(Math.round((campaignSeconds - byJob) / 60)).toBe(61);
  });
});
