/** Endpoints that swallow posts do not take the places of others. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { testDatabase } from '../../platform/db/opened-testing.ts';
import { fine, type Post, posterBed } from './post-testing.ts';

const database = testDatabase();
const bed = posterBed(() => database);

describe('black holes', () => {
  const blackHole = (post: Post) => post.url.includes('hole');
  const holes = (count: number) => Array.from({ length: count }, (_, n) => `https://hole-${n}.example`);
  const healthy = Array.from({ length: 20 }, (_, n) => `https://healthy-${n}.example`);
  const waiting = () =>
    database.knex('receipts').where('url', 'like', 'https://healthy%').whereNot({ state: 'Delivered' });
  const postsTo = (what: string) => bed.posts.filter(({ url }) => url.includes(what)).length;

  /** Rounds until the healthy endpoints have all of theirs; no time passes, so no post to a hole ever ends. */
  async function roundsUntilServed(): Promise<number> {
    for (let rounds = 0; rounds < 50; rounds += 1) {
      if ((await waiting()).length === 0) return rounds;
      await bed.round();
    }
    throw new Error(`${(await waiting()).length} still wait`);
  }

  beforeEach(() => {
    bed.endpoint = (post) => (blackHole(post) ? new Promise(() => {}) : fine);
  });

  test('one with 5,000 older receipts delays none of 20 healthy endpoints', async () => {
    await bed.insert(5_000, 'https://hole-0.example', 3_600);
    for (const origin of healthy) await bed.insert(10, origin);
    // 2, 4 and 4 places: as many rounds as without the black hole.
    expect(await roundsUntilServed()).toBeLessThanOrEqual(3);
    expect(postsTo('hole')).toBe(2);
  });

  test('a thousand leave room for endpoints that have responded before', async () => {
    for (const origin of healthy) await bed.insert(1, origin);
    expect(await roundsUntilServed()).toBe(1);
    for (const origin of holes(1_000)) await bed.insert(1, origin, 3_600);
    for (const origin of healthy) await bed.insert(10, origin);
    expect(await roundsUntilServed()).toBeLessThanOrEqual(5);
    expect(postsTo('hole')).toBeLessThanOrEqual(256);
  });

  test('one that times out is tried with one post at a time, and parked after 20', async () => {
    let swallowed: (() => void)[] = [];
    bed.endpoint = () =>
      new Promise((resolve) => {
        swallowed.push(() => resolve({ kind: 'failed', reason: 'timeout' }));
      });
    await bed.insert(100, 'https://hole-0.example');
    const perTimeout: number[] = [];
    for (let trial = 0; trial < 25; trial += 1) {
      await bed.round();
      perTimeout.push(swallowed.length);
      for (const end of swallowed) end();
      swallowed = [];
      await bed.settled();
      await bed.pass(10);
    }
    expect(perTimeout.slice(0, 19)).toStrictEqual([2, ...Array(18).fill(1)]);
    // Parked: one probe a minute.
    expect(perTimeout.slice(19)).toStrictEqual([0, 0, 0, 0, 0, 1]);
  });
});
