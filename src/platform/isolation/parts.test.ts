/** When a part of a chore that fails runs again, and what the log says of it. */
import { beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { markDatabaseAway } from '../errors/database-away.ts';
import { createParts, type Parts } from './parts.ts';

let nowMs: number;
let logged: string[];
let parts: Parts;

beforeEach(() => {
  nowMs = 0;
  logged = [];
  const logger = pino({ base: null }, { write: (line) => void logged.push(JSON.parse(line).msg) });
  parts = createParts('seals', logger, { elapsedMs: () => nowMs });
});

const fails = (name: string) => () => Promise.reject(Object.assign(new Error('made by a test'), { name }));
const works = async () => true;
const failed = 'part of a housekeeping chore failed; the others go on, and it runs again later';

test('a part that works is not logged, and says whether it has more to do', async () => {
  expect([await parts.run('a', works), await parts.run('a', async () => false)]).toEqual([true, false]);
  expect([parts.resting(), logged]).toEqual([[], []]);
});

test('one that fails rests for a minute, then twice as long each time, up to an hour; others do not', async () => {
  const rests: number[] = [];
  for (let time = 0; time < 9; time += 1) {
    expect(await parts.run('a', fails('Fault'))).toBe(false);
    const startedMs = nowMs;
    while (parts.resting().length > 0) nowMs += 60_000;
    rests.push((nowMs - startedMs) / 60_000);
    expect(await parts.run('b', works)).toBe(true);
  }
  expect(rests).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  expect(logged).toEqual([failed]);
});

test('another fault, and the end of all, are logged; the next rest is short again', async () => {
  for (const name of ['One', 'One', 'Two']) await parts.run('a', fails(name));
  await parts.run('a', works);
  expect(logged).toEqual([failed, failed, 'part of a housekeeping chore works again']);
  await parts.run('a', fails('One'));
  nowMs += 60_000;
  expect(parts.resting()).toEqual([]);
});

test("a database that is away is nobody's fault", async () => {
  const error = new Error('made by a test');
  markDatabaseAway(error);
  await expect(parts.run('a', () => Promise.reject(error))).rejects.toBe(error);
  expect([parts.resting(), logged]).toEqual([[], []]);
});
