/** How posts are shared between teams and their origins, and which receipts wait for a place. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ClaimedReceipt } from './claim.ts';
import { createPlaces, type Places } from './places.ts';

let places: Places;
let nowMs = 0;
let made = 0;
beforeEach(() => {
  places = createPlaces({ elapsedMs: () => nowMs });
});

const receipt = (originKey: string | number = 'one', teamId = 'team'): ClaimedReceipt => {
  made += 1;
  const origin = { teamId, originKey: String(originKey) };
  return { ...origin, id: String(made), clientId: 'client', url: '', body: '', trace: null, attemptsMade: 0 };
};
const receipts = (count: number, ...of: Parameters<typeof receipt>) =>
  Array.from({ length: count }, () => receipt(...of));
const ids = (some: readonly ClaimedReceipt[]) => some.map(({ id }) => id);
const add = (...some: ClaimedReceipt[]) => places.add(some, nowMs);
/** Posts one receipt for each outcome. */
const post = (works: boolean | null, ...of: Parameters<typeof receipt>) => {
  for (const one of add(receipt(...of)).start) places.ended(one, works);
};
/** Lets an origin respond so well that it has all sixteen places. */
const prove = (...of: Parameters<typeof receipt>) => times(3, () => post(true, ...of));
const times = (count: number, act: (index: number) => void) =>
  Array.from({ length: count }, (_, n) => act(n));
const load = (originKey: string | number = 'one', teamId = 'team') =>
  places.room()?.origins.find((one) => one.teamId === teamId && one.originKey === String(originKey));
const team = (teamId = 'team') => places.room()?.teams.find((one) => one.teamId === teamId);

describe('the places of an origin', () => {
  test.each<[string, (boolean | null)[], number]>([
    ['an untested one has those that a claim found', [null], 20],
    ['a success gives it four', [true], 4],
    ['every further one doubles them', [true, true], 8],
    ['up to sixteen', Array(9).fill(true), 16],
    ['a failure halves them', [true, true, false], 4],
    ['until it is untested', [true, false], 20],
    ['an untested one that fails stays so', Array(9).fill(false), 20],
    ['the next success gives it four again', [false, false, true], 4],
    ['an unknown outcome changes nothing', [true, null, null], 4],
  ])('%s', (_rule, outcomes, started) => {
    for (const works of outcomes) post(works);
    const startable = load()?.startable ?? 20;
    expect([add(...receipts(20)).start.length, startable]).toStrictEqual([started, started]);
  });

  test('are its own in each team', () => {
    post(true);
    add(receipt('one', 'other'));
    expect([load()?.startable, load('one', 'other')]).toStrictEqual([
      4,
      { teamId: 'other', originKey: 'one', taken: 1, places: null, startable: null },
    ]);
  });
});

describe('what has no place yet', () => {
  test('waits, and the next one starts with every post that ends', () => {
    prove();
    const all = receipts(20);
    const { start } = add(...all);
    expect(ids(start)).toStrictEqual(ids(all.slice(0, 16)));
    expect(places.ended(all[3] as ClaimedReceipt, true).start).toStrictEqual([all[16]]);
    expect(places.ended(all[0] as ClaimedReceipt, null).start).toStrictEqual([all[17]]);
  });

  test('counts as taken, up to a limit for each origin', () => {
    prove();
    expect(load()).toMatchObject({ taken: 0, places: 16 + 512, startable: 16 });
    add(...receipts(100));
    expect(load()).toMatchObject({ taken: 100, places: 528, startable: 0 });
    expect(team()).toMatchObject({ taken: 100, takenByUntested: 0 });
  });

  test('of one team leaves room for others', () => {
    prove('one', 'quiet');
    times(10, (n) => {
      prove(n, 'loud');
      const { taken = 0, places: most = 0 } = load(n, 'loud') ?? {};
      add(...receipts((most ?? 0) - taken, n, 'loud'));
    });
    expect(team('loud')?.taken).toBeLessThanOrEqual(2_048 + 10 * 16);
    expect(load('one', 'quiet')).toMatchObject({ places: 528 });
  });

  test('is given back once its origin is untested again', () => {
    prove();
    const all = receipts(20);
    const { start } = add(...all);
    const released = start.slice(0, 4).flatMap((one) => places.ended(one, false).release);
    expect(released).toStrictEqual(ids(all.slice(16)));
  });

  test('is given back when half of its lease is over', () => {
    prove();
    const all = receipts(18);
    const { start } = add(...all);
    nowMs += 14_999;
    expect(places.ended(start[0] as ClaimedReceipt, true).start).toStrictEqual([all[16]]);
    nowMs += 1;
    expect(places.ended(start[1] as ClaimedReceipt, true)).toStrictEqual({
      start: [],
      release: [all[17]?.id],
    });
  });

  test('starts with a post of others if its origin has none and all places were taken', () => {
    prove();
    const others = receipts(1_024, 'other');
    add(...others);
    const own = receipt();
    expect(add(own)).toStrictEqual({ start: [], release: [] });
    const starts = others.flatMap((one) => places.ended(one, null).start);
    expect(starts).toStrictEqual([own]);
  });

  test('is given back if the process stops, and nothing more starts', () => {
    prove();
    const all = receipts(18);
    const { start } = add(...all);
    expect(places.close()).toStrictEqual(ids(all.slice(16)));
    expect(places.ended(start[0] as ClaimedReceipt, true)).toStrictEqual({ start: [], release: [] });
    expect(places.room()).toBeUndefined();
  });
});

describe('all places', () => {
  test('untested origins may have half of them', () => {
    times(512, (n) => add(receipt(n)));
    expect(places.room()).toMatchObject({ places: 512 + 4_096, untestedPlaces: 0 });
    expect(team()).toMatchObject({ taken: 512, takenByUntested: 512 });
  });

  test('posts to healthy origins do not reduce those of untested ones', () => {
    post(true);
    add(...receipts(4));
    expect(places.room()).toMatchObject({ places: 1_020 + 4_096, untestedPlaces: 512 });
    expect(team()).toMatchObject({ taken: 4, takenByUntested: 0 });
  });

  test('once they are taken, a claim takes nothing', () => {
    times(1_024, (n) => add(receipt(n)));
    expect(places.room()).toBeUndefined();
  });
});

describe('the memory', () => {
  test('is empty after the last post if no origin is healthy', () => {
    const [one] = add(receipt()).start;
    post(false, 'two');
    places.ended(one as ClaimedReceipt, false);
    expect(places.room()).toMatchObject({ teams: [], origins: [] });
  });

  test('failing origins push out no healthy one', () => {
    post(true);
    times(5_000, (n) => post(false, n));
    expect(load()).toMatchObject({ startable: 4 });
  });

  test('healthy origins of one team push out none of another', () => {
    post(true, 'first', 'other');
    times(600, (n) => post(true, n));
    expect(places.room()?.origins).toHaveLength(500);
    expect([load('first', 'other')?.startable, load(599)?.startable]).toStrictEqual([4, 4]);
  });
});

describe("a team's places for untested origins", () => {
  beforeEach(() => void add(receipt('kept under way')));

  test('shrink with every one that fails, down to 32', () => {
    times(100, (n) => post(false, n));
    expect(team()?.untestedPlaces).toBe(412);
    times(1_000, (n) => post(false, n));
    expect(team()?.untestedPlaces).toBe(32);
  });

  test('double with every one that responds', () => {
    times(1_000, (n) => post(false, n));
    post(true);
    expect(team()?.untestedPlaces).toBe(64);
    times(9, (n) => post(true, `new ${n}`));
    expect(team()?.untestedPlaces).toBe(512);
  });

  test('do not change with what healthy origins do', () => {
    times(3, () => post(true));
    post(false);
    expect(team()?.untestedPlaces).toBe(512);
  });

  test('are its own', () => {
    times(1_000, (n) => post(false, n));
    add(receipt('one', 'other'));
    expect(team('other')?.untestedPlaces).toBe(512);
  });
});
