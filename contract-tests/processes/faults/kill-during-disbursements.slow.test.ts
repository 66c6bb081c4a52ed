/** Kills the service in the middle of disbursements: no bundle is given twice, none is lost. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import { createRandom } from '../../../src/partner/sandbox/random.ts';
import { sized } from '../../../src/platform/sized-testing.ts';
import {
  bundleToEach,
  type DataService,
  defaultService,
  startData,
} from '../../support/requests/disbursement.ts';
import { type Receiver, startReceiver } from '../../support/service/receiver.ts';
import {
  restartUnclaimed,
  rowsOf,
  topUp,
  unbalancedAccounts,
  withStoredData,
} from '../../support/service/stored-data.ts';

const disbursements = Number(process.env.DISBURSEMENTS ?? sized(300, 1_000));
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const perRequest = 100;
/** A trial goes on until the service died with bundles on their way. */
const mostKills = 12;

const random = createRandom(seed);

let data: DataService;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  data = await startData({ RATE_LIMIT_PER_SECOND: '1000000', LOG_LEVEL: 'error' }, ({ knex, demo }) =>
    topUp(knex, demo.clientId, 10 * disbursements),
  );
}, 120_000);
afterAll(async () => {
  await data?.service.dispose();
  receiver.close();
});

test(
  `SEED=${seed}: kill -9 in the middle of ${disbursements} disbursements`,
  async () => {
    const requestIds: string[] = [];
    let interrupted = 0;
    for (let kills = 0; kills < mostKills && (kills < 3 || interrupted === 0); kills += 1) {
      requestIds.push(...(await disburseAll(kills)));
      await new Promise((resolve) => setTimeout(resolve, random() * 400));
      await data.service.kill();
      interrupted += await withStoredData(data.service, bundlesOnTheirWay);
      await data.service.restart();
    }
    // Else the test has lost its edge.
    expect(interrupted).toBeGreaterThan(0);
    await settle(requestIds.length * perRequest);

    await data.service.stop();
    await withStoredData(data.service, async (knex) => {
      expect(await rowsOf(knex, 'select message_id, times from simulated_bundles where times > 1')).toEqual(
        [],
      );
      await expectWhatWasGiven(knex);
      expect(await unbalancedAccounts(knex)).toEqual([]);
      const stored = await rowsOf<{ id: string }>(knex, 'select id from requests');
      expect(new Set(stored.map(({ id }) => id))).toEqual(new Set(requestIds));
    });
  },
  300_000 + disbursements * 60,
);

/** One kill's share of the disbursements, every fifth with an SMS; returns the requests' ids. */
async function disburseAll(kill: number): Promise<string[]> {
  const receiptRequest = { correlator: `kill-${kill}`, callbackUrl: receiver.url('/receipts') };
  return Promise.all(
    Array.from({ length: Math.ceil(disbursements / perRequest) }, async (_, request) => {
      const body = bundleToEach(
        Array.from({ length: perRequest }, (_, place) => ({
          phone: `+254711${String(kill * 10 + request)
            .padStart(2, '0')
            .slice(-2)}${suffixOf(place)}`,
          denomination: '100MB',
          ...(place % 5 === 0 ? { message: 'Enjoy' } : {}),
        })),
        { messaging: defaultService, receiptRequest },
      );
      const answer = await data.disburse(body);
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('requestId')]);
      return answer.body.requestId as string;
    }),
  );
}

/** Nine of ten are given at once, the others rejected. */
function suffixOf(place: number): string {
  return place % 10 === 3 ? '0001' : String(2_000 + place);
}

/** Marked as about to be handed over: the provider may have them or not. */
async function bundlesOnTheirWay(knex: Knex): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    knex,
    `select count(*)::integer as count from messages where product = 'data' and state = 'Sending'`,
  );
  return row?.count ?? 0;
}

/** Ends what the dead processes had claimed, and waits for the last receipt. */
async function settle(bundles: number): Promise<void> {
  await restartUnclaimed(data.service);
  // Of a hundred: twenty SMS, of which none accompanies a bundle that is rejected.
  await receivedAll(bundles + bundles / 5);
}

/** Receipts may come twice after a kill, so what counts is how many different ones there are. */
async function receivedAll(expected: number): Promise<void> {
  const different = () => new Set(receiver.on('/receipts').map(({ headers }) => headers['webhook-id'])).size;
  while (different() < expected) await receiver.received('/receipts', receiver.on('/receipts').length + 1);
  expect(different()).toBe(expected);
}

/** The bundles that the provider gave are those that count as delivered and are paid for. */
async function expectWhatWasGiven(knex: Knex): Promise<void> {
  const wrong = await rowsOf(
    knex,
    `select m.id, m.phone, m.state, b.times, e.units
     from messages m left join simulated_bundles b on b.message_id = m.id
       left join ledger_entries e on e.message_id = m.id and e.reason = 'Refund'
     where m.product = 'data' and case when right(m.phone, 4) = '0001'
       then m.state <> 'Failed' or b.times is not null or e.units is distinct from m.units
       else m.state <> 'Delivered' or b.times is distinct from 1 or e.units is not null end`,
  );
  expect(wrong).toEqual([]);
}
