/** That many messages whose data fails neither hold up the others for long nor undo what is done. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { cleanReports } from '../connectors/contract/network-text.ts';
import { listQuarantined } from '../isolation/quarantine-repository.ts';
import { recordSilence } from '../receipts/record.ts';
import type { ReachedState } from '../receipts/states.ts';
import type { LaneDependencies } from './lanes.ts';
import { createReportStore, networkReportRound } from './reports/network-reports.ts';
import { openDelivery, type TestDelivery } from './testing.ts';

let delivery: TestDelivery;

beforeAll(async () => {
  delivery = await openDelivery(process.env.DATABASE_URL);
});
afterAll(() => delivery.close());
beforeEach(() => delivery.reset(1_000));

const many = Array.from({ length: 120 }, (_, index) => `+2547110${10_000 + index}`);
/** All but every sixth. */
const isFaulty = (phone: string) => many.indexOf(phone) % 6 !== 5;
const healthy = many.filter((phone) => !isFaulty(phone)).length;
const messageIds = async (): Promise<string[]> =>
  (await delivery.knex('messages').orderBy('id')).map(({ id }) => String(id));
const acceptMany = async () => {
  await delivery.accept(...many.map((phone) => ({ phone })));
  await delivery.knex.raw(
    `update messages set state = 'Submitted', connector = 'network', submitted_at = now() - interval '73 hours'`,
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

test('network reports: each transaction is short, and what is done stays done', async () => {
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
