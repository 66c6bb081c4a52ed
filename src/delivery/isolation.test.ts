/** One message whose data fails affects no other, in any round, and can be retried. */
import { describe, expect, test } from '@jest/globals';
import type { Connector, HandOver } from '../connectors/contract/connector.ts';
import { cleanReports } from '../connectors/contract/network-text.ts';
import type { ReachedState } from '../model/states.ts';
import { listQuarantined, requestRetry } from '../platform/isolation/quarantine-repository.ts';
import { type Consequences, recordSilence } from '../receipts/record.ts';
import type { LaneDependencies } from './lanes.ts';
import { insertPolls, pollRound } from './poll.ts';
import { createReportStore, networkReportRound } from './reports/network-reports.ts';
import { retryRound } from './retry.ts';
import { delivered, network, openedDelivery } from './testing.ts';

const delivery = openedDelivery(1_000);

const phones = Array.from({ length: 9 }, (_, index) => `+25471100000${index}`);
const poison = '+254711000004';
const others = phones.length - 1;

/** What recording the poisonous message meets, by name; platform/isolation/fault.test.ts has every SQLSTATE. */
const faults: Record<string, (all: LaneDependencies) => Consequences> = {
  'a renderer that throws': ({ consequences }) => {
    const render = ({ phone, state }: ReachedState) => {
      if (phone === poison) throw new Error('cannot render');
      return { phone, state };
    };
    return { ...consequences, receipt: { sms: render, data: render, chatapp: render } };
  },
  'an error of the database': ({ consequences }) => {
    const follow: Consequences['follow']['sms'] = async (trx, reached) => {
      if (reached.some(({ phone }) => phone === poison))
        await trx.raw(`do $$ begin raise exception using errcode = '22P02'; end $$`);
      return [];
    };
    return { ...consequences, follow: { sms: follow, data: follow } };
  },
};

const messageIds = async (): Promise<string[]> =>
  (await delivery.knex('messages').orderBy('id')).map(({ id }) => String(id));
const submittedBefore = (interval: string) =>
  delivery.knex.raw(
    // The times before were looked through.
    `with again as (update late_reports set looked_until = '-infinity')
     update messages set state = 'Submitted', connector = 'network', submitted_at = now() - ?::interval`,
    [interval],
  );
const acceptAll = (product: 'sms' | 'data') =>
  delivery.accept(...phones.map((phone) => ({ phone, product })));

/** Each ends in the round that is looked at, which may run again as often as it likes. */
const rounds: Record<string, (all: LaneDependencies) => Promise<void>> = {
  'hand-over': async (all) => {
    await acceptAll('sms');
    const { connector, sent } = network(() => delivered);
    const withConnector = {
      ...all,
      waysOf: async () => ({ steps: [[{ name: 'sms', weight: 1, connector }]] }),
    };
    for (let times = 0; times < 2; times += 1) {
      await delivery.hurry();
      await delivery.deliverRound(withConnector);
    }
    expect(sent).toEqual(phones);
  },
  'network-report': async (all) => {
    await acceptAll('sms');
    await submittedBefore('1 minute');
    const reports = (await messageIds()).map((messageId) => ({ messageId, state: 'Delivered' as const }));
    const store = createReportStore({ ...all, submissionsStored: async () => {}, onStored: () => {} });
    await store(
      { connector: 'network', product: 'sms' },
      cleanReports(reports, () => {}),
    );
    for (let times = 0; times < 2; times += 1) await networkReportRound(all);
    expect(await delivery.knex('network_reports')).toEqual([]);
  },
  poll: async (all) => {
    await acceptAll('data');
    await submittedBefore('1 minute');
    const ids = await messageIds();
    await delivery.knex.transaction((trx) => insertPolls(trx, delivery.queue, ids, 0, 0));
    const { connector } = network(
      () => delivered,
      () => delivered,
    );
    for (let times = 0; times < 2; times += 1) await pollRound({ ...all, connectorNamed: () => connector });
  },
  silence: async (all) => {
    await acceptAll('sms');
    await submittedBefore('73 hours');
    for (let times = 0; times < 2; times += 1)
      await recordSilence(all.knex, all.events, 72 * 3_600, 10, all.consequences);
  },
};

const cases = Object.keys(rounds).flatMap((round) => Object.keys(faults).map((fault) => ({ round, fault })));

test.each(cases)('$round, $fault: all others are recorded, and the item at fault can be retried', async ({
  round,
  fault,
}) => {
  const all = delivery.dependencies({});
  const counted: string[] = [];
  const events = { ...all.events, itemQuarantined: (name: string) => counted.push(name) };
  const faulty = { ...all, events, consequences: faults[fault]?.(all) ?? all.consequences };
  await rounds[round]?.(faulty);
  expect([(await delivery.receipts()).length, counted]).toEqual([others, [round]]);
  const [item] = await listQuarantined(all.knex);
  expect(item).toMatchObject({ round, attempts: 1, retrying: false });
  expect(item?.reason).not.toContain(poison);

  await requestRetry(all.knex, item?.id);
  await retryRound(faulty);
  expect(await listQuarantined(all.knex)).toMatchObject([{ id: item?.id, attempts: 2, retrying: false }]);

  await requestRetry(all.knex, undefined);
  await retryRound(all);
  expect(await listQuarantined(all.knex)).toEqual([]);
  expect((await delivery.receipts()).length).toBe(phones.length);
});

test('a database that fails puts nothing into quarantine: everything is tried again', async () => {
  const all = delivery.dependencies({});
  const follow = { sms: () => Promise.reject(Object.assign(new Error('gone'), { code: '57P01' })) };
  await rounds.silence?.({ ...all, consequences: { ...all.consequences, follow } }).then(
    () => expect('a rejection').toBe('missing'),
    (error: Error) => expect(error.message).toBe('gone'),
  );
  expect([await listQuarantined(all.knex), await delivery.receipts()]).toEqual([[], []]);
});

test('a report that cannot be stored, past the gate: the others of its call are stored', async () => {
  const all = delivery.dependencies({});
  const store = createReportStore({ ...all, submissionsStored: async () => {}, onStored: () => {} });
  const ids = ['a', 'x'.repeat(300), 'tx\0', 'tx\ud83d', 'b'];
  const reports = ids.map((networkId) => ({ networkId, state: 'Delivered' }));
  await store({ connector: 'smsc', product: 'sms' }, reports as never);
  expect(await all.knex('network_reports').orderBy('id').pluck('network_id')).toEqual(['a', 'b']);
  const items = await listQuarantined(all.knex);
  expect(items.map(({ round }) => round)).toEqual(['network-report', 'network-report', 'network-report']);
});

describe('the response of the network', () => {
  test('is not lost to a deadlock', async () => {
    await acceptAll('sms');
    const all = delivery.dependencies({ sms: network(() => delivered).connector });
    let deadlocks = 2;
    const sms = async () => {
      deadlocks -= 1;
      if (deadlocks >= 0) throw Object.assign(new Error('deadlock'), { code: '40P01' });
      return [];
    };
    await delivery.deliverRound({ ...all, consequences: { ...all.consequences, follow: { sms } } });
    expect((await delivery.receipts()).length).toBe(phones.length);
  });

  test.each<[string, HandOver]>([
    ['an id of 64 KB', { kind: 'accepted', networkId: 'x'.repeat(65_536) }],
    ['an id with NUL', { kind: 'accepted', networkId: 'tx\0' }],
    ['an id with half a pair', { kind: 'accepted', networkId: 'tx\ud83d' }],
    ['a reason with half a pair', { kind: 'rejected', state: 'Failed', reason: 'x\ud83d' }],
    ['a reason with NUL', { kind: 'rejected', state: 'Failed', reason: 'x\0' }],
    ['a code with NUL', { kind: 'rejected', state: 'Failed', reason: 'x', reasonCode: '\0' }],
    ['a delay without end', { kind: 'later', delaySeconds: 1e300 }],
    ['a value that cannot be written', { kind: 'faulty', reason: 'it cannot be written' }],
  ])('with %s, past the gate: the others are recorded and nothing is sent twice', async (_name, outcome) => {
    await acceptAll('sms');
    const { connector, sent } = network(({ phone }) => (phone === poison ? outcome : delivered));
    const all = delivery.dependencies({ sms: connector });
    await delivery.deliverRound(all);
    await delivery.hurry();
    await delivery.deliverRound(all);
    expect([sent, (await delivery.receipts()).length]).toEqual([phones, others]);
    expect(await listQuarantined(all.knex)).toMatchObject([{ round: 'hand-over' }]);
  });
});

test('a gate that fails for one bundle lets the others pass', async () => {
  await acceptAll('data');
  const { connector, sent } = network(
    () => delivered,
    () => ({ kind: 'unknown' }),
  );
  const all = delivery.dependencies({ data: connector });
  const gates: LaneDependencies['gates'] = {
    data: async (bundles) => {
      if (bundles.some(({ phone }) => phone === poison)) throw new TypeError('no campaign');
      return new Map();
    },
  };
  await delivery.deliverRound({ ...all, gates });
  expect(sent).toEqual(phones.filter((phone) => phone !== poison));
  const [item] = await listQuarantined(all.knex);
  expect(item).toMatchObject({ round: 'hand-over', reason: 'TypeError' });
  await requestRetry(all.knex, item?.id);
  await retryRound(all);
  await delivery.deliverRound(all);
  expect([sent.at(-1), (await delivery.receipts()).length]).toEqual([poison, phones.length]);
});

describe('a job that cannot be read', () => {
  const unreadable: unknown[] = [
    null,
    'text',
    {},
    { requestIds: ['no uuid'], product: 'sms', channel: 'Safaricom' },
    { requestIds: 'none', product: 'sms', channel: 'Safaricom' },
    { requestIds: [], product: 'fax', channel: 'Safaricom' },
    { requestIds: [], product: 'sms' },
    { requestIds: [], product: 'sms', channel: 'Safaricom', messageIds: ['1e9'] },
  ];

  test('of any kind goes to quarantine, and the others are finished', async () => {
    for (const data of unreadable)
      await delivery.knex.transaction((trx) =>
        delivery.queue.insert(trx, 'deliver', [
          {
            product: 'sms',
            channel: 'x',
            teamId: 't',
            priority: 2,
            messages: 1,
            requestIds: [],
            ...wrap(data),
          },
        ]),
      );
    await delivery.knex.raw("update jobs set data = data -> 'raw' where data -> 'raw' is not null");
    await acceptAll('sms');
    const { connector } = network(() => delivered);
    const all = delivery.dependencies({ sms: connector });
    await delivery.deliverRound(all);
    await delivery.deliverRound(all);
    expect((await delivery.receipts()).length).toBe(phones.length);
    const items = await listQuarantined(all.knex);
    expect(items.map(({ round }) => round)).toEqual(unreadable.map(() => 'job'));
    await requestRetry(all.knex, undefined);
    await retryRound(all);
    expect((await listQuarantined(all.knex)).map(({ attempts }) => attempts)).toEqual(
      unreadable.map(() => 2),
    );
  });

  const wrap = (raw: unknown) => ({ raw }) as object;
});

test('a connector without a result for one message does not affect the others', async () => {
  await acceptAll('sms');
  const connector: Connector = {
    send: async (messages) => messages.map(({ phone }) => (phone === poison ? waitsLong : delivered)),
  };
  await delivery.deliverRound(delivery.dependencies({ sms: connector }));
  expect((await delivery.receipts()).length).toBe(others);
});
const waitsLong: HandOver = { kind: 'later', delaySeconds: 86_400 };
