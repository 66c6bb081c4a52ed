/** How the posts under way are shared between teams and their origins. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { createSlots, type Slots } from './slots.ts';

let slots: Slots;
beforeEach(() => {
  slots = createSlots();
});

const origin = (originKey: string | number = 'one', teamId = 'team') => ({
  teamId,
  originKey: String(originKey),
});
const load = (of = origin()) =>
  slots.free().origins.find(({ teamId, originKey }) => teamId === of.teamId && originKey === of.originKey);
const team = (teamId = 'team') => slots.free().teams.find((one) => one.teamId === teamId);
const post = (works: boolean | null, of = origin()) => {
  slots.take(of);
  slots.giveBack(of, works);
};
const times = (count: number, act: (index: number) => void) =>
  Array.from({ length: count }, (_, n) => act(n));

describe('the places of an origin', () => {
  test.each<[string, (boolean | null)[], number | null]>([
    ['a newcomer is not proven', [null], null],
    ['a success proves it', [true], 4],
    ['every further one doubles them', [true, true], 8],
    ['up to sixteen', Array(9).fill(true), 16],
    ['a failure halves them', [true, true, false], 4],
    ['and ends in a newcomer', [true, false], null],
    ['a newcomer that fails stays unproven', Array(9).fill(false), null],
    ['the next success proves it', [false, false, true], 4],
    ['an unknown outcome changes nothing', [true, null, null], 4],
  ])('%s', (_rule, outcomes, places) => {
    for (const works of outcomes) post(works);
    slots.take(origin());
    expect(load()).toStrictEqual({ ...origin(), underWay: 1, places });
  });

  test('are its own in each team', () => {
    post(true);
    slots.take(origin('one', 'other'));
    expect([load()?.places, load(origin('one', 'other'))?.places]).toStrictEqual([4, null]);
  });
});

describe('all slots', () => {
  test('newcomers may have half of them', () => {
    times(512, (n) => slots.take(origin(n)));
    expect(slots.free()).toMatchObject({ limit: 512, newcomerLimit: 0 });
    expect(team()).toMatchObject({ underWay: 512, newcomersUnderWay: 512 });
  });

  test('slots of proven origins do not reduce those of newcomers', () => {
    post(true);
    times(4, () => slots.take(origin()));
    expect(slots.free()).toMatchObject({ limit: 1_020, newcomerLimit: 512 });
    expect(team()).toMatchObject({ underWay: 4, newcomersUnderWay: 0 });
  });
});

describe('the memory', () => {
  test('is empty after the last post if nothing is proven', () => {
    slots.take(origin());
    post(false, origin('two'));
    slots.giveBack(origin(), false);
    expect(slots.free()).toMatchObject({ teams: [], origins: [] });
  });

  test('failing origins push out no proven one', () => {
    post(true);
    times(5_000, (n) => post(false, origin(n)));
    expect(load()).toMatchObject({ places: 4 });
  });

  test('proven origins of one team push out none of another', () => {
    post(true, origin('first', 'other'));
    times(600, (n) => post(true, origin(n)));
    expect(slots.free().origins).toHaveLength(500);
    expect(load(origin('first', 'other'))).toMatchObject({ places: 4 });
    expect(load(origin(0))).toBeUndefined();
    expect(load(origin(599))).toMatchObject({ places: 4 });
  });
});

describe("a team's places for newcomers", () => {
  beforeEach(() => slots.take(origin('kept under way')));

  test('shrink with every newcomer that fails, down to 32', () => {
    times(100, (n) => post(false, origin(n)));
    expect(team()?.newcomerPlaces).toBe(412);
    times(1_000, (n) => post(false, origin(n)));
    expect(team()?.newcomerPlaces).toBe(32);
  });

  test('double with every newcomer that responds', () => {
    times(1_000, (n) => post(false, origin(n)));
    post(true);
    expect(team()?.newcomerPlaces).toBe(64);
    times(9, (n) => post(true, origin(`new ${n}`)));
    expect(team()?.newcomerPlaces).toBe(512);
  });

  test('do not change with what proven origins do', () => {
    times(3, () => post(true));
    post(false);
    expect(team()?.newcomerPlaces).toBe(512);
  });

  test('are its own', () => {
    times(1_000, (n) => post(false, origin(n)));
    slots.take(origin('one', 'other'));
    expect(team('other')?.newcomerPlaces).toBe(512);
  });
});
