/** How the posts under way are shared between origins. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { createSlots, type Slots } from './slots.ts';

let slots: Slots;
beforeEach(() => {
  slots = createSlots();
});

const origin = 'https://one.example';
const room = (of = origin) => slots.free().rooms.find((one) => one.origin === of);
const post = (works: boolean | null, of = origin) => {
  slots.take(of);
  slots.giveBack(of, works);
};
const times = (count: number, act: (index: number) => void) =>
  Array.from({ length: count }, (_, n) => act(n));

describe('the places of an origin', () => {
  test.each<[string, (boolean | null)[], number, boolean]>([
    ['a newcomer has two', [null], 2, false],
    ['a success doubles them', [true], 4, true],
    ['up to sixteen', Array(9).fill(true), 16, true],
    ['a failure halves them', [true, true, false], 4, true],
    ['a newcomer that fails has one', [false], 1, false],
    ['however often it fails', Array(9).fill(false), 1, false],
    ['the next success begins to undo it', [false, false, true], 2, false],
    ['what says nothing changes nothing', [true, null, null], 4, true],
  ])('%s', (_rule, outcomes, places, proven) => {
    for (const works of outcomes) post(works);
    slots.take(origin);
    expect(room()).toStrictEqual({ origin, places: places - 1, proven });
  });

  test('what is under way takes places, and what has ended gives them back', () => {
    times(2, () => slots.take(origin));
    expect(room()?.places).toBe(0);
    slots.giveBack(origin, null);
    expect(room()?.places).toBe(1);
  });

  test('more under way than it has places now: none is left', () => {
    times(4, () => post(true));
    times(16, () => slots.take(origin));
    slots.giveBack(origin, false);
    expect(room()).toStrictEqual({ origin, places: 0, proven: true });
  });
});

describe('all slots', () => {
  test('newcomers may have half of them', () => {
    times(256, (n) => slots.take(`https://${n}.example`));
    expect(slots.free()).toMatchObject({ limit: 256, newcomerLimit: 0 });
  });

  test('what proven origins have is not taken from newcomers', () => {
    post(true);
    times(4, () => slots.take(origin));
    expect(slots.free()).toMatchObject({ limit: 508, newcomerLimit: 256 });
  });

  test('an origin without posts is forgotten when there are too many', () => {
    post(true);
    times(500, (n) => post(true, `https://${n}.example`));
    expect(slots.free().rooms).toHaveLength(500);
    expect(room()).toBeUndefined();
  });
});
