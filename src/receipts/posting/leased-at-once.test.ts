/** A receipt that the poster of its process has room for is leased to it at once, and gets its row with its first outcome. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { StateChange } from '../../model/states.ts';
import { originKeyOf } from '../callback/callback-url.ts';
import type { PostOutcome } from '../callback/client.ts';
import { type RecordedState, recordChanges } from '../record.ts';
import { consequences, delivered, recordedMessages } from '../record-testing.ts';
import { receiptRow } from '../rows-testing.ts';
import { insertLot } from './lot-repository.ts';
import { fine, posterBed } from './post-testing.ts';
import { createReceiptRepository } from './repository.ts';

const messages = recordedMessages();
const bed = posterBed(() => messages.database);

const home = 'https://receipts.example';
const rows = () => messages.database.knex('receipts').orderBy('created_at');
const lots = () => messages.database.knex('receipt_lots').orderBy('id');
/** Lets the endpoint respond well `posts` times. */
const prove = async (posts: number) => {
  for (let post = 1; post <= posts; post += 1) {
    await bed.insert(1, home, 10, 'team');
    await bed.round();
  }
  await messages.database.knex('receipts').delete();
  await bed.round();
  bed.posts.length = 0;
};
const record = (changes: readonly StateChange[]) =>
  messages.database.knex.transaction((trx) =>
    recordChanges(trx, changes, { ...consequences, poster: bed.own }),
  );
const deliver = async (count: number) =>
  record((await messages.accept(count, { callbackUrl: `${home}/` })).map(delivered));
const leasedOf = (reached: readonly RecordedState[]) => reached.flatMap(({ leased }) => leased ?? []);

describe('where its origin works', () => {
  beforeEach(() => prove(1));

  test('it is posted without a claim, and settled as any other', async () => {
    const leased = leasedOf(await deliver(1));
    expect([await rows(), await lots()]).toMatchObject([[], [{ claimed_by: bed.own.claimedBy }]]);
    bed.poster.recorded(leased, false);
    await bed.settled();
    expect(bed.posts).toHaveLength(1);
    expect([await rows(), await lots()]).toMatchObject([
      [{ state: 'Delivered', attempts: 1, sequence: 1, claimed_by: null, attempt_log: [{ status: 204 }] }],
      [],
    ]);
  });

  test('as many are leased as there is room for, in places and in the queue, and the others are claimed', async () => {
    const room = 4 + 512;
    const leased = leasedOf(await deliver(room + 4));
    expect([leased.length, (await rows()).length]).toEqual([room, 4]);
    bed.poster.recorded(leased, true);
    await bed.poster.idle();
    await bed.round();
    expect([bed.posts.length, (await rows().where({ state: 'Delivered' })).length]).toEqual([
      room + 4,
      room + 4,
    ]);
  });

  test('one that the poster never hears of is due once its lease is over, not before', async () => {
    await deliver(1);
    await bed.pass(29);
    await bed.round();
    expect(bed.posts).toHaveLength(0);
    await bed.pass(1);
    await bed.round();
    expect([bed.posts.length, await rows()]).toMatchObject([1, [{ state: 'Delivered' }]]);
  });

  test('its lease begins with the statement, however long its transaction has run', async () => {
    const ids = await messages.accept(1, { callbackUrl: `${home}/` });
    await messages.database.knex.transaction(async (trx) => {
      await trx.raw('select pg_sleep(0.2)');
      await recordChanges(trx, ids.map(delivered), { ...consequences, poster: bed.own });
    });
    const { rows: found } = await messages.database.knex.raw(
      `select leased_until - created_at >= interval '30.2 s' as whole from receipt_lots`,
    );
    expect(found).toEqual([{ whole: true }]);
  });

  test('one that comes after the poster has stopped is given back', async () => {
    const leased = leasedOf(await deliver(1));
    await bed.poster.drain();
    bed.poster.recorded(leased, false);
    await bed.poster.idle();
    expect([bed.posts, await rows(), await lots()]).toMatchObject([
      [],
      [{ claimed_by: null, state: 'Waiting' }],
      [],
    ]);
    expect(leasedOf(await deliver(1))).toEqual([]);
  });

  test('one whose origin fails meanwhile is given back, for a claim that knows of failures', async () => {
    const leased = leasedOf(await deliver(4));
    bed.endpoint = () => ({ kind: 'answered', status: 500 });
    await bed.insert(1, home, 10, 'team');
    await bed.round();
    bed.poster.recorded(leased, false);
    await bed.poster.idle();
    expect([bed.posts.length, (await rows()).length, await lots()]).toEqual([1, 5, []]);
  });

  test('what no row can hold is refused as its lot is stored, not when that becomes rows', async () => {
    const row = receiptRow(home, { message_id: '1', trace: '\0' }) as never;
    const lease = { claimedBy: bed.own.claimedBy, leaseSeconds: 30 };
    await expect(
      messages.database.knex.transaction((trx) => insertLot(trx, lease, [row])),
    ).rejects.toMatchObject({ code: '22P05' });
    expect(await lots()).toEqual([]);
  });

  test('a lot ends when the last of its receipts has a row, whatever became of the others', async () => {
    const responses = [fine, { kind: 'answered', status: 410 }, { kind: 'answered', status: 503 }] as const;
    bed.endpoint = () => responses[bed.posts.length - 1] ?? fine;
    bed.poster.recorded(leasedOf(await deliver(3)), false);
    await bed.settled();
    expect([(await rows().orderBy('state')).map(({ state }) => state).sort(), await lots()]).toEqual([
      ['Delivered', 'Exhausted', 'Waiting'],
      [],
    ]);
  });

  test('an outcome that comes after the lease settles the row that another process made', async () => {
    let respond = (_outcome: PostOutcome) => {};
    bed.endpoint = () =>
      new Promise((resolve) => {
        respond = resolve;
      });
    bed.poster.recorded(leasedOf(await deliver(1)), false);
    await bed.pass(31);
    const other = createReceiptRepository(messages.database.knex, randomUUID());
    expect(await other.anyDue()).toBe(true);
    expect([await rows(), await lots()]).toMatchObject([[{ state: 'Waiting' }], []]);
    respond(fine);
    await bed.settled();
    expect(await rows()).toMatchObject([{ state: 'Delivered', attempts: 1 }]);
  });

  test('it waits like those that a claim had no room for, until a claim has room for all', async () => {
    let respond = () => {};
    const responded = new Promise<void>((resolve) => {
      respond = resolve;
    });
    bed.endpoint = () => responded.then(() => fine);
    const room = 4 + 512;
    const leased = leasedOf(await deliver(room + 1));
    bed.poster.recorded(leased, true);
    await bed.round();
    expect([leased.length, leasedOf(await deliver(1)).length]).toEqual([room, 0]);
    respond();
    await bed.poster.idle();
    expect(leasedOf(await deliver(1)).length).toBe(0);
    await bed.round();
    expect([leasedOf(await deliver(1)).length, bed.posts.length]).toEqual([1, room + 3]);
  });

  test('it waits for none that the next claim has room for', async () => {
    bed.poster.recorded([], true);
    expect(leasedOf(await deliver(1))).toHaveLength(1);
  });
});

describe('nothing is leased', () => {
  test('of an origin that has not responded yet', async () => {
    expect(leasedOf(await deliver(1))).toEqual([]);
  });

  test('of an origin that has failed since', async () => {
    await prove(1);
    bed.endpoint = () => ({ kind: 'answered', status: 500 });
    await bed.insert(1, home, 10, 'team');
    await bed.round();
    expect(leasedOf(await deliver(1))).toEqual([]);
  });

  test("of another team's origin with the same URL", async () => {
    await bed.insert(1, home, 10, 'other');
    await bed.round();
    await bed.round();
    expect(bed.own.leasable({ teamId: 'other', originKey: originKeyOf(home) })).toBeGreaterThan(0);
    expect(leasedOf(await deliver(1))).toEqual([]);
  });

  test('of a state that others follow: their receipts wait until the first attempt at this one began', async () => {
    await prove(1);
    const [messageId = ''] = await messages.accept(1, { callbackUrl: `${home}/`, product: 'chatapp' });
    const change = { messageId, product: 'chatapp', refund: false } as const;
    const states = (['Sent', 'Read'] as const).map((state) => ({ ...change, state }));
    expect(leasedOf(await record(states))).toEqual([]);
    expect(await lots()).toEqual([]);
  });
});
