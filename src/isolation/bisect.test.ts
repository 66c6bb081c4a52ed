/** That halving finds every item at fault and carries out all others, once, in their order. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bisect } from './bisect.ts';
import { ItemFault } from './fault.ts';

describe('bisect', () => {
  test('any items at fault: exactly those are given up, all others are done once and in order', async () => {
    const seed = process.env.SEED === undefined ? Date.now() : Number(process.env.SEED);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 200 }), async (faulty) => {
        const done: number[] = [];
        const givenUp: number[] = [];
        await bisect(
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

  test('one of 512 costs few tries', async () => {
    let tries = 0;
    await bisect(
      Array.from({ length: 512 }, (_, index) => index),
      async (some) => {
        tries += 1;
        if (some.includes(300)) throw new ItemFault('bad');
      },
      () => {},
    );
    expect(tries).toBeLessThanOrEqual(19);
  });

  test('an error of the infrastructure gives nothing up', async () => {
    const givenUp: number[] = [];
    const work = bisect(
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
});
