/** Every item at fault is found, and all others are carried out, once, in their order. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ItemFault } from './fault.ts';
import { singleOut } from './single-out.ts';

test('any items at fault: exactly those are given up, all others are processed once and in order', async () => {
  const seed = Number(process.env.SEED);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 200 }), async (faulty) => {
      const done: number[] = [];
      const givenUp: number[] = [];
      await singleOut(
        [...faulty.keys()],
        async (some) => {
          if (some.some((index) => faulty[index])) throw new ItemFault('bad');
          done.push(...some);
        },
        (index) => {
          givenUp.push(index);
        },
      );
      expect(done).toEqual([...faulty.keys()].filter((index) => !faulty[index]));
      expect(givenUp).toEqual([...faulty.keys()].filter((index) => faulty[index]));
    }),
    { seed },
  );
});

test.each([
  [1, 25],
  [512, 585],
])('%i at fault of 512 cost at most %i tries', async (faulty, mostTries) => {
  let tries = 0;
  await singleOut(
    Array.from({ length: 512 }, (_, index) => index),
    async (some) => {
      tries += 1;
      if (some.some((index) => index < faulty)) throw new ItemFault('bad');
    },
    () => {},
  );
  expect(tries).toBeLessThanOrEqual(mostTries);
});

test('an error of the infrastructure gives nothing up', async () => {
  const givenUp: number[] = [];
  const work = singleOut(
    [1, 2, 3],
    async () => {
      throw Object.assign(new Error('gone'), { code: '08006' });
    },
    (index) => {
      givenUp.push(index);
    },
  );
  await expect(work).rejects.toThrow('gone');
  expect(givenUp).toEqual([]);
});
