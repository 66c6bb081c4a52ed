/** Scales fit what is drawn: a maximum of 220 gets no scale of 400. */
import { expect, test } from '@jest/globals';
import { axesOf, percentFrom, scaleTo } from './chart.ts';

test('a scale ends a little above its largest value, and half of it is a whole number', () => {
  const largest = [0, 1, 3, 9, 11, 99, 101, 220, 340, 1_001, 65_000];
  expect(largest.map(scaleTo)).toEqual([2, 2, 4, 10, 12, 100, 120, 240, 400, 1_200, 80_000]);
});

test('a scale of per cent begins below its smallest value', () => {
  expect([100, 97.9, 91, 83, 60, 12].map(percentFrom)).toEqual([98, 95, 90, 80, 50, 0]);
});

test('a curve has a gap where nothing is known, and a point alone is a short stroke', () => {
  const { line } = axesOf({ places: 4, to: 100 });
  expect(line([0, undefined, 50, 100])).toBe('M66.3 118.0h.1M195.3 65.0h.1L259.8 12.0');
});
