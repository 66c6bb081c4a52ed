/** The outcome of an attempt reaches the database, however long that takes. */
import { expect, test } from '@jest/globals';
import type { Attempt } from './attempt.ts';
import { createOutcomes } from './outcomes.ts';

const attempt = (receiptId: string): Attempt => ({
  receiptId,
  teamId: 'team',
  originKey: 'origin',
  origin: 'https://a.example',
  state: 'Delivered',
  delaySeconds: 0,
  counts: true,
  originWorks: true,
  entry: { at: '', latencyMs: 1, status: 200 },
});
const ids = (attempts: readonly Attempt[]) => attempts.map(({ receiptId }) => receiptId);

test('those that end together share a statement', async () => {
  const batches: string[][] = [];
  const { record } = createOutcomes(
    async (attempts) => void batches.push(ids(attempts)),
    () => {},
  );
  await Promise.all(['a', 'b', 'c'].map((id) => record(attempt(id))));
  expect(batches).toStrictEqual([['a', 'b', 'c']]);
});

test('outcomes that the database does not accept are retried', async () => {
  const faults: unknown[] = [];
  const away = new Error('connection lost');
  let tries = 0;
  const { record } = createOutcomes(
    async () => {
      tries += 1;
      if (tries < 3) throw away;
    },
    (fault) => faults.push(fault),
    { gatherMs: 1, retryMs: 1 },
  );
  await record(attempt('a'));
  expect(faults).toStrictEqual([away, away]);
});

test('at the end, outcomes that the database does not accept are given up', async () => {
  const { record, stop } = createOutcomes(async () => {
    throw new Error('connection lost');
  }, stopAtOnce);
  function stopAtOnce() {
    stop();
  }
  await expect(record(attempt('a'))).rejects.toThrow('connection lost');
});
