/** The difference of texts keeps what both have, and loses nothing. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { differenceOf } from './difference.ts';

test('a changed word is gone and new; the rest stays', () => {
  expect(differenceOf('This week only: {{offer}}', 'This weekend only: {{offer}}')).toEqual([
    { kind: 'same', text: 'This ' },
    { kind: 'gone', text: 'week' },
    { kind: 'new', text: 'weekend' },
    { kind: 'same', text: ' only: {{offer}}' },
  ]);
});

test('its pieces make up both texts', () => {
  const text = fc.array(fc.constantFrom('a', 'b', ' ', '\n', '{{c}}')).map((words) => words.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const pieces = differenceOf(before, after);
      const without = (kind: string) =>
        pieces
          .filter((piece) => piece.kind !== kind)
          .map((piece) => piece.text)
          .join('');
      expect([without('new'), without('gone')]).toEqual([before, after]);
    }),
    { seed: Number(process.env.SEED) },
  );
});
