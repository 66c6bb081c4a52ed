/** Many messages whose data fails neither hold up the others for long nor undo finished work. */
import { describe, expect, test } from '@jest/globals';
import { cleanReports } from '../connectors/contract/network-text.ts';
import type { ReachedState } from '../model/states.ts';
import { clearTables } from '../platform/db/testing.ts';
import { listQuarantined } from '../platform/isolation/quarantine-repository.ts';
import { recordSilence } from '../receipts/record.ts';
import type { LaneDependencies } from './lanes.ts';
import { insertPolls, pollRound } from './poll.ts';
import { createReportStore, networkReportRound } from './reports/network-reports.ts';
import { delivered, network, openedDelivery } from './testing.ts';

const delivery = openedDelivery(1_000);

const many = Array.from({ length: 120 }, (_, index) => `+2547110${10_000 + index}`);
/** All but every sixth. */
const isFaulty = (phone: string) => many.indexOf(phone) % 6 !== 5;
const healthy = many.filter((phone) => !isFaulty(phone)).length;
const messageIds = async (): Promise<string[]> =>
  (await delivery.knex('messages').orderBy('id')).map(({ id }) => String(id));
const acceptMany = async () => {
  await delivery.accept(...many.map((phone) => ({ phone })));
  await delivery.knex.raw(
    // The times before were looked through.
    `with again as (update late_reports set looked_until = '-infinity')
     update messages set state = 'Submitted', connector = 'network', submitted_at = now() - interval '73 hours'`,
  );
};
const throwing = (all: LaneDependencies) => {
  const sms = ({ phone, state }: ReachedState) => {
    if (isFaulty(phone)) throw new Error('cannot render');
    return { phone, state };
  };
  return { ...all, consequences: { ...all.consequences, receipt: { ...all.consequences.receipt, sms } } };
};
const expectAllDone = async ({ knex }: LaneDependencies) =>
  expect([(await delivery.receipts()).length, (await listQuarantined(knex)).length]).toEqual([
    healthy,
    many.length - healthy,
  ]);

test('network reports: each transaction is short, and finished work stays', async () => {
  await acceptMany();
  const all = throwing(delivery.dependencies({}));
  const reports = (await messageIds()).map((messageId) => ({ messageId, state: 'Delivered' as const }));
  const store = createReportStore({ ...all, submissionsStored: async () => {}, onStored: () => {} });
  await store(
    { connector: 'network', product: 'sms' },
    cleanReports(reports, () => {}),
  );
  expect(await networkReportRound(all)).toBe(true);
  expect(await all.knex('network_reports')).toHaveLength(many.length - 50);
  while (await networkReportRound(all));
  await expectAllDone(all);
});

test('silence: the same', async () => {
  await acceptMany();
  const all = throwing(delivery.dependencies({}));
  const record = () => recordSilence(all.knex, all.events, 72 * 3_600, 500, all.consequences);
  let more = true;
  while (more) ({ more } = await record());
  await expectAllDone(all);
});

describe('a lot with one message at fault, whose recording ends in the middle', () => {
  const [poison, last] = [many[3] ?? '', many[70] ?? ''];
  /** Cannot render the receipt of one message, and loses the database at another. */
  const failing = (all: LaneDependencies) => {
    const render = ({ phone, state }: ReachedState) => {
      if (phone === poison) throw new Error('cannot render');
      return { phone, state };
    };
    const follow = async (_trx: unknown, reached: readonly ReachedState[]) => {
      if (reached.some(({ phone }) => phone === last))
        throw Object.assign(new Error('gone'), { code: '57P01' });
      return [];
    };
    const receipt = { sms: render, data: render, chatapp: render };
    return { ...all, consequences: { receipt, follow: { sms: follow, data: follow } } };
  };
  const healed = (all: LaneDependencies) => ({
    ...failing(all),
    consequences: { ...failing(all).consequences, follow: {} },
  });
  const recorded = async (all: LaneDependencies) => [
    (await delivery.receipts()).length,
    (await listQuarantined(all.knex)).map(({ round }) => round),
    (await all.knex('jobs')).length,
  ];
  const ofFirstPart = many.slice(0, 50);

  test('hand-over: what is recorded stays so, and only the rest is submitted again', async () => {
    await delivery.accept(...many.map((phone) => ({ phone })));
    const { connector, sent } = network(() => delivered);
    const all = delivery.dependencies({ sms: connector });
    await delivery.deliverRound(failing(all));
    expect(await recorded(all)).toEqual([ofFirstPart.length - 1, ['hand-over'], 2]);
    await delivery.hurry();
    await delivery.deliverRound(healed(all));
    await delivery.deliverRound(healed(all));
    expect(await recorded(all)).toEqual([many.length - 1, ['hand-over'], 0]);
    expect(sent.slice(many.length)).toEqual(many.slice(50));
  });

  test('poll: what is recorded stays so, and only the rest is asked about again', async () => {
    await delivery.accept(...many.map((phone) => ({ phone, product: 'data' as const })));
    await delivery.knex.raw(
      `update messages set state = 'Submitted', connector = 'network', submitted_at = service_now()`,
    );
    await clearTables(delivery.knex, 'jobs');
    const ids = await messageIds();
    await delivery.knex.transaction((trx) => insertPolls(trx, delivery.queue, ids, 0, 0));
    const { connector, asked } = network(
      () => delivered,
      () => delivered,
    );
    const all = { ...delivery.dependencies({}), connectorNamed: () => connector };
    await expect(pollRound(failing(all))).rejects.toThrow('gone');
    expect(await recorded(all)).toEqual([ofFirstPart.length - 1, ['poll'], 2]);
    await delivery.hurry();
    await pollRound(healed(all));
    expect(await recorded(all)).toEqual([many.length - 1, ['poll'], 0]);
    expect(asked.slice(many.length)).toEqual(many.slice(50));
  });
});
