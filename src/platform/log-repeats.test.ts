/** A fault that repeats is written once, then counted. */
import { PassThrough } from 'node:stream';
import { expect, jest, test } from '@jest/globals';
import { markDatabaseAway } from './errors/database-away.ts';
import { createLog } from './log.ts';

async function linesOf(write: (log: ReturnType<typeof createLog>['logger']) => void) {
  const stream = new PassThrough();
  const { logger, flush } = createLog('info', 'json', stream);
  write(logger);
  await flush();
  return String(stream.read() ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

test('repeats are counted at the end of each minute; a minute without them starts over', async () => {
  jest.useFakeTimers();
  const lines = await linesOf((logger) => {
    for (const words of [['a', 'a', 'b', 'a'], ['a'], [], ['a']]) {
      for (const word of words) logger.warn(word);
      jest.advanceTimersByTime(60_000);
    }
  });
  jest.useRealTimers();
  expect(lines.map(({ msg, repeated }) => [msg, repeated])).toEqual([
    ['a', undefined],
    ['b', undefined],
    ['a', 2],
    ['a', 1],
    ['a', undefined],
  ]);
});

test('the log counts the same fault of other requests, and tells faults of other connectors apart', async () => {
  const err = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  const lines = await linesOf((logger) => {
    for (let id = 0; id < 50; id += 1) logger.error({ err, requestId: String(id) }, 'request failed');
    for (const connector of ['one', 'other', 'one'])
      logger.child({ connector }).warn({ err }, 'connection failed');
  });
  expect(lines.map(({ msg, connector, repeated }) => [msg, connector, repeated])).toEqual([
    ['request failed', undefined, undefined],
    ['connection failed', 'one', undefined],
    ['connection failed', 'other', undefined],
    ['request failed', undefined, 49],
    ['connection failed', 'one', 1],
  ]);
});

test('the log leaves out failures because the database is down, which has a line of its own', async () => {
  const away = new Error('connect ECONNREFUSED');
  markDatabaseAway(away);
  const outer = new Error('round failed', { cause: away });
  expect(
    await linesOf((logger) => {
      for (const err of [away, outer]) logger.error({ err, loop: 'deliver' }, 'background work failed');
    }),
  ).toEqual([]);
});

test('the log leaves out nothing but warnings and errors', async () => {
  const lines = await linesOf((logger) => {
    for (let time = 0; time < 3; time += 1) logger.info('request');
  });
  expect(lines).toHaveLength(3);
});
