/** Pauses grow while throttling goes on, and shrink after successes. */
import { expect, test } from '@jest/globals';
import { testContext } from '../http/provider-testing.ts';
import { createSlowDown } from './slow-down.ts';

const make = () => {
  const { clock } = testContext();
  return { clock, slowDown: createSlowDown({ firstSeconds: 1, factor: 4, limitSeconds: 64 }, clock) };
};

test('each pause is longer than the one before, up to the limit', () => {
  const { clock, slowDown } = make();
  const pauses = Array.from({ length: 5 }, () => {
    const seconds = slowDown.slower('a');
    clock.advance(seconds);
    return seconds;
  });
  expect(pauses).toEqual([1, 4, 16, 64, 64]);
  expect([slowDown.wait('a'), slowDown.wait('b')]).toEqual([0, 0]);
});

test('responses to concurrent requests cause one pause', () => {
  const { slowDown } = make();
  expect([slowDown.slower('a'), slowDown.slower('a'), slowDown.slower('a')]).toEqual([1, 1, 1]);
});

test('a longer pause is respected if the network asks for it', () => {
  const { clock, slowDown } = make();
  expect([slowDown.slower('a', 30), slowDown.slower('a')]).toEqual([30, 30]);
  clock.advance(29.5);
  expect(slowDown.wait('a')).toBe(1);
});

test('after a success the pauses start over, but not during one', () => {
  const { clock, slowDown } = make();
  clock.advance(slowDown.slower('a'));
  expect(slowDown.slower('a')).toBe(4);
  slowDown.works('a');
  expect(slowDown.wait('a')).toBe(4);
  clock.advance(4);
  slowDown.works('a');
  expect(slowDown.slower('a')).toBe(1);
});
