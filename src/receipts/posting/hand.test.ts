/** Which receipts a process takes into its memory, when they start, and when it releases them. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { OwnedReceipt } from '../owned-receipt.ts';
import { createHand, type Hand } from './hand.ts';

let hand: Hand;
let made = 0;
beforeEach(() => {
  hand = createHand();
});

const receipt = (teamId = 'team', originKey = 'origin'): OwnedReceipt => {
  made += 1;
  return { id: String(made), teamId, originKey, clientId: 'client', url: '', body: '', attemptsMade: 0 };
};
const receipts = (count: number, of?: () => OwnedReceipt) =>
  Array.from({ length: count }, of ?? (() => receipt()));
const claim = (claimed: OwnedReceipt[], mostOfOrigin = 100) => {
  const capacity = hand.capacity();
  if (capacity === undefined) throw new Error('nothing may be claimed');
  return hand.claimed({ receipts: claimed, mostOfOrigin }, capacity);
};
/** An origin that has answered so well that it has all sixteen places. */
const prove = (of = () => receipt()) => {
  for (const one of receipts(4, of)) {
    claim([one]);
    hand.ended(one, true);
  }
};
/** Offers the receipts, and reports that the rows of those it took exist. */
const record = (offered: OwnedReceipt[]) => {
  const taken = offered.filter(hand.takes);
  return { taken, ...hand.arrive(taken) };
};

describe('a new receipt', () => {
  test('of an origin that has not answered yet is left for a claim', () => {
    expect(hand.takes(receipt())).toBe(false);
  });

  test('of an origin that answers starts as soon as its row is there', () => {
    prove();
    const [one] = receipts(1) as [OwnedReceipt];
    expect(record([one])).toStrictEqual({ taken: [one], start: [one], release: [] });
  });

  test('waits in line while all places are taken, and the line moves on with every post that ends', () => {
    prove();
    const all = receipts(20);
    const { start } = record(all);
    expect(start).toStrictEqual(all.slice(0, 16));
    expect(hand.ended(all[3] as OwnedReceipt, true).start).toStrictEqual([all[16]]);
    expect(hand.ended(all[0] as OwnedReceipt, null).start).toStrictEqual([all[17]]);
  });

  test('is left for a claim when the line is full, like the next ones until a claim has reached the end', () => {
    prove();
    const { taken, start } = record(receipts(600));
    expect([taken.length, start.length]).toStrictEqual([512, 16]);
    for (const one of start) hand.ended(one, true);
    expect(hand.takes(receipt())).toBe(false);
    const found = receipts(20);
    claim(found, 10);
    expect(hand.takes(receipt())).toBe(false);
    claim(receipts(3), 10);
    expect(hand.takes(receipt())).toBe(true);
  });

  test('of one team does not fill the lines of all', () => {
    const origins = Array.from({ length: 40 }, (_, n) => `origin ${n}`);
    for (const one of origins) prove(() => receipt('loud', one));
    prove(() => receipt('quiet'));
    const taken = origins.flatMap((one) => receipts(600, () => receipt('loud', one)).filter(hand.takes));
    expect(taken).toHaveLength(2_048);
    expect(receipts(600, () => receipt('quiet')).filter(hand.takes)).toHaveLength(512);
  });
});

describe('released', () => {
  test('is the line of an origin that fails again and again', () => {
    prove();
    const all = receipts(20);
    record(all);
    const released = all.slice(0, 4).flatMap((one) => hand.ended(one, false).release);
    expect(released).toStrictEqual(all.slice(16).map(({ id }) => id));
    expect(hand.takes(receipt())).toBe(false);
  });

  test('are receipts that were taken and never recorded', () => {
    prove();
    const one = receipt();
    hand.takes(one);
    expect([hand.overdue(), hand.overdue(), hand.overdue()]).toStrictEqual([[], [one.id], []]);
    expect(hand.arrive([one])).toStrictEqual({ start: [], release: [one.id] });
  });

  test('is everything that waits if the process stops', () => {
    prove();
    const all = receipts(18);
    record(all);
    expect(hand.close()).toStrictEqual(all.slice(16).map(({ id }) => id));
    expect(hand.ended(all[0] as OwnedReceipt, true)).toStrictEqual({ start: [], release: [] });
    expect([hand.takes(receipt()), hand.capacity()]).toStrictEqual([false, undefined]);
  });
});

describe('a claim', () => {
  test('fills the places of an origin that answers, and its line', () => {
    prove();
    expect(hand.capacity()?.origins).toMatchObject([{ underWay: 0, places: 16 + 512, startable: 16 }]);
    const claimed = receipts(100);
    expect(claim(claimed).start).toStrictEqual(claimed.slice(0, 16));
    expect(hand.capacity()?.origins).toMatchObject([{ underWay: 100, places: 528, startable: 0 }]);
  });

  test('starts all that it found for newcomers', () => {
    const claimed = [receipt('team', 'one'), receipt('team', 'two')];
    expect(claim(claimed).start).toStrictEqual(claimed);
  });

  test('finds nothing to take when every place is taken', () => {
    claim(receipts(1_024, () => receipt('team', String(made))));
    expect(hand.capacity()).toBeUndefined();
  });
});
