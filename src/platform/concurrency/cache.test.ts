/** Cached look-ups: how long, for whom, and which are not kept. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { cached } from './cache.ts';

let nowMs = 0;
let looked: string[];
beforeEach(() => {
  nowMs = 1_000_000;
  looked = [];
});

const options = { lifetimeMs: 2_000, limitEntries: 3, clock: { elapsedMs: () => nowMs } };
const load = async (...key: (string | undefined)[]) => {
  looked.push(key.join('/'));
  return looked.length;
};

describe('a value', () => {
  test('is kept for its lifetime and looked up again after it', async () => {
    const find = cached(load, options);
    expect(await find('a')).toBe(1);
    nowMs += 1_999;
    expect(await find('a')).toBe(1);
    nowMs += 1;
    expect(await find('a')).toBe(2);
  });

  test('is as old as the start of its look-up', async () => {
    let answer = (_value: number) => {};
    const find = cached(
      (key: string) =>
        new Promise<number>((resolve) => {
          looked.push(key);
          answer = resolve;
        }),
      options,
    );
    const first = find('a');
    nowMs += 1_500;
    answer(1);
    await first;
    nowMs += 500;
    void find('a');
    expect(looked).toEqual(['a', 'a']);
  });

  test('belongs to its whole key', async () => {
    const find = cached(load, options);
    await find('a', 'b');
    await find('a,b', undefined);
    await find('a', undefined);
    expect(await find('a', 'b')).toBe(1);
    expect(looked).toHaveLength(3);
  });

  test('is dropped when there are too many: the oldest goes first', async () => {
    const find = cached(load, options);
    for (const key of ['a', 'b', 'c', 'd', 'b', 'a']) await find(key);
    expect(looked).toEqual(['a', 'b', 'c', 'd', 'a']);
  });

  test('that is not to be kept, or not for its key, is looked up again', async () => {
    const keep = (value: number, [key]: readonly (string | undefined)[]) => value > 1 && key === 'a';
    const find = cached(load, { ...options, keep });
    const keys = ['a', 'a', 'a', 'b', 'b'];
    const found = [];
    for (const key of keys) found.push(await find(key));
    expect(found).toEqual([1, 2, 2, 3, 4]);
  });
});

describe('a look-up', () => {
  test('is shared by all callers that arrive while it runs', async () => {
    const find = cached(load, options);
    expect(await Promise.all([find('a'), find('a'), find('a')])).toEqual([1, 1, 1]);
    expect(looked).toEqual(['a']);
  });

  test('that fails rejects for all its callers, and the next caller starts another', async () => {
    const find = cached(async (key: string) => {
      looked.push(key);
      if (looked.length === 1) throw new Error('away');
      return key;
    }, options);
    const shared = [find('a'), find('a')];
    expect(await Promise.allSettled(shared)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    expect(await find('a')).toBe('a');
    expect(looked).toHaveLength(2);
  });

  test('that fails late does not remove a later value', async () => {
    let fail = () => {};
    const find = cached((key: string) => {
      looked.push(key);
      if (looked.length > 1) return Promise.resolve('fresh');
      return new Promise<string>((_resolve, reject) => {
        fail = () => reject(new Error('too late'));
      });
    }, options);
    const stale = find('a');
    nowMs += 2_000;
    expect(await find('a')).toBe('fresh');
    fail();
    await expect(stale).rejects.toThrow('too late');
    expect(await find('a')).toBe('fresh');
    expect(looked).toHaveLength(2);
  });
});
