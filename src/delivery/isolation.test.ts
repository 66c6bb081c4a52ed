/** What cannot be recorded affects nothing else, in any round, and can be retried; many hold up others only for a moment. */
import { describe, expect, test } from '@jest/globals';
import type { HandOver } from '../connectors/contract/connector.ts';
import { cleanReports } from '../connectors/contract/network-text.ts';
import type { ReachedState } from '../model/states.ts';
import { clearTables } from '../platform/db/testing.ts';
import { listQuarantined, requestRetry } from '../platform/isolation/quarantine-repository.ts';
import { type Consequences, recordSilence } from '../receipts/record.ts';
import type { LaneDependencies } from './lanes.ts';
import { insertPolls, pollRound } from './poll.ts';
import { createReportStore, networkReportRound } from './reports/network-reports.ts';
import { retryRound } from './retry.ts';
import { delivered, network, openedDelivery, provider } from './testing.ts';

const delivery = openedDelivery(1_000);

const phones = Array.from({ length: 9 }, (_, index) => `+25471100000${index}`);
const poison = '+254711000004';
const others = phones.length - 1;

/** What recording the poisonous message meets, by name; platform/isolation/fault.test.ts has every SQLSTATE. */
const faults: Record<string, (all: LaneDependencies) => Consequences> = {
  'a renderer that throws': (all) => rendering(all, (phone) => phone === poison),
  'an error of the database': ({ consequences }) => {
    const follow: Consequences['follow']['sms'] = async (trx, reached) => {
      if (reached.some(({ phone }) => phone === poison))
        await trx.raw(`do $$ begin raise exception using errcode = '22P02'; end $$`);
      return [];
    };
    return { ...consequences, follow: { sms: follow, data: follow } };
  },
};

/** With receipts that can be rendered but for some numbers. */
function rendering({ consequences }: LaneDependencies, isFaulty: (phone: string) => boolean): Consequences {
  const render = ({ phone, state }: ReachedState) => {
    if (isFaulty(phone)) throw new Error('cannot render');
    return { phone, state };
  };
  return { ...consequences, receipt: { sms: render, data: render, chatapp: render } };
}

const acceptAll = (product: 'sms' | 'data', to = phones) =>
  delivery.accept(...to.map((phone) => ({ phone, product })));
const submittedBefore = (interval: string) =>
  delivery.knex.raw(
    // The times before were looked through.
    `with again as (update late_reports set looked_until = '-infinity')
     update messages set state = 'Submitted', connector = 'network', submitted_at = now() - ?::interval`,
    [interval],
  );
/** The network reports that all were delivered. */
async function reportAll(all: LaneDependencies): Promise<void> {
  const ids: string[] = await delivery.knex('messages').orderBy('id').pluck('id');
  const reports = ids.map((messageId) => ({ messageId: String(messageId), state: 'Delivered' as const }));
  const store = createReportStore({ ...all, submissionsStored: async () => {}, onStored: () => {} });
  await store(
    { connector: 'network', product: 'sms' },
    cleanReports(reports, () => {}),
  );
}
/** All bundles are to be queried now; returns the network. */
async function pollAll() {
  await clearTables(delivery.knex, 'jobs');
  const ids: string[] = await delivery.knex('messages').orderBy('id').pluck('id');
  await delivery.knex.transaction((trx) => insertPolls(trx, delivery.queue, ids.map(String), 0, 0));
  return network(
    () => delivered,
    () => delivered,
  );
}

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
    await reportAll(all);
    for (let times = 0; times < 2; times += 1) await networkReportRound(all);
    expect(await delivery.knex('network_reports')).toEqual([]);
  },
  poll: async (all) => {
    await acceptAll('data');
    await submittedBefore('1 minute');
    const { connector } = await pollAll();
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
    ['a reason with half a pair', { kind: 'rejected', state: 'Failed', reason: 'x\ud83d' }],
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
  const { connector, sent } = provider();
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
    const job = {
      product: 'sms',
      channel: 'x',
      teamId: 't',
      priority: 2,
      messages: 1,
      requestIds: [],
    } as const;
    await delivery.knex.transaction((trx) =>
      delivery.queue.insert(
        trx,
        'deliver',
        unreadable.map((raw) => ({ ...job, raw })),
      ),
    );
    await delivery.knex.raw("update jobs set data = data -> 'raw'");
    await acceptAll('sms');
    const all = delivery.dependencies({ sms: network(() => delivered).connector });
    for (let round = 0; round < 2; round += 1) await delivery.deliverRound(all);
    expect((await delivery.receipts()).length).toBe(phones.length);
    const items = await listQuarantined(all.knex);
    expect(items.map(({ round }) => round)).toEqual(unreadable.map(() => 'job'));
    await requestRetry(all.knex, undefined);
    await retryRound(all);
    expect(new Set((await listQuarantined(all.knex)).map(({ attempts }) => attempts))).toEqual(new Set([2]));
  });
});

describe('of many messages', () => {
  const many = Array.from({ length: 120 }, (_, index) => `+2547110${10_000 + index}`);

  test('most of them at fault: each transaction is short, and finished work stays', async () => {
    await acceptAll('sms', many);
    await submittedBefore('1 minute');
    const all = delivery.dependencies({});
    const isFaulty = (phone: string) => many.indexOf(phone) % 6 !== 5;
    const faulty = { ...all, consequences: rendering(all, isFaulty) };
    await reportAll(faulty);
    expect(await networkReportRound(faulty)).toBe(true);
    expect(await all.knex('network_reports')).toHaveLength(many.length - 50);
    while (await networkReportRound(faulty));
    expect([(await delivery.receipts()).length, (await listQuarantined(all.knex)).length]).toEqual([20, 100]);
  });

  /** Cannot render the receipt of one message, and loses the database at another, unless it is there again. */
  const failing = (all: LaneDependencies, isAway = true): LaneDependencies => {
    const follow = async (_trx: unknown, reached: readonly ReachedState[]) => {
      if (isAway && reached.some(({ phone }) => phone === many[70]))
        throw Object.assign(new Error('gone'), { code: '57P01' });
      return [];
    };
    const consequences = rendering(all, (phone) => phone === many[3]);
    return { ...all, consequences: { ...consequences, follow: { sms: follow, data: follow } } };
  };
  const recorded = async () => [
    (await delivery.receipts()).length,
    (await listQuarantined(delivery.knex)).map(({ round }) => round),
    (await delivery.knex('jobs')).length,
  ];

  test('whose recording ends in the middle, only the rest is submitted again', async () => {
    await acceptAll('sms', many);
    const { connector, sent } = network(() => delivered);
    const all = delivery.dependencies({ sms: connector });
    await delivery.deliverRound(failing(all));
    expect(await recorded()).toEqual([49, ['hand-over'], 2]);
    await delivery.hurry();
    for (let round = 0; round < 2; round += 1) await delivery.deliverRound(failing(all, false));
    expect(await recorded()).toEqual([many.length - 1, ['hand-over'], 0]);
    expect(sent.slice(many.length)).toEqual(many.slice(50));
  });

  test('whose recording ends in the middle, only the rest is asked about again', async () => {
    await acceptAll('data', many);
    await submittedBefore('1 minute');
    const { connector, asked } = await pollAll();
    const all = { ...delivery.dependencies({}), connectorNamed: () => connector };
    await expect(pollRound(failing(all))).rejects.toThrow('gone');
    expect(await recorded()).toEqual([49, ['poll'], 2]);
    await delivery.hurry();
    await pollRound(failing(all, false));
    expect(await recorded()).toEqual([many.length - 1, ['poll'], 0]);
    expect(asked.slice(many.length)).toEqual(many.slice(50));
  });
});
