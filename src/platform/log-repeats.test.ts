/** A fault that repeats is written once, then counted. */
import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { markDatabaseAway } from './errors/database-away.ts';
import { createLog } from './log.ts';
import { createRepeats, type Repeats } from './log-repeats.ts';

describe('repeats', () => {
  let written: string[];
  let endWindows: () => void;
  let repeats: Repeats;
  beforeEach(() => {
    written = [];
    let waiting: (() => void)[] = [];
    endWindows = () => {
      for (const run of waiting.splice(0)) run();
    };
    repeats = createRepeats((_ms, run) => {
      waiting = [...waiting, run];
    });
  });
  const say = (key: string) => {
    if (repeats.allow(key, (repeated) => written.push(`${key} +${repeated}`))) written.push(key);
  };

  test('of one line within a minute are counted, and written at its end', () => {
    for (const key of ['a', 'a', 'b', 'a']) say(key);
    expect(written).toEqual(['a', 'b']);
    endWindows();
    expect(written).toEqual(['a', 'b', 'a +2']);
  });

  test('of the next minute are counted anew; a minute without repeats starts over', () => {
    for (const key of ['a', 'a']) say(key);
    endWindows();
    say('a');
    endWindows();
    endWindows();
    say('a');
    expect(written).toEqual(['a', 'a +1', 'a +1', 'a']);
  });

  test('are written when the log ends', () => {
    for (const key of ['a', 'a', 'b']) say(key);
    repeats.flush();
    endWindows();
    expect(written).toEqual(['a', 'b', 'a +1']);
  });
});

describe('the log', () => {
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

  test('counts the same fault of other requests, and tells faults of other connectors apart', async () => {
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

  test('leaves out failures because the database is down, which has a line of its own', async () => {
    const away = new Error('connect ECONNREFUSED');
    markDatabaseAway(away);
    const outer = new Error('round failed', { cause: away });
    expect(
      await linesOf((logger) => {
        for (const err of [away, outer]) logger.error({ err, loop: 'deliver' }, 'background work failed');
      }),
    ).toEqual([]);
  });

  test('leaves out nothing but warnings and errors', async () => {
    const lines = await linesOf((logger) => {
      for (let time = 0; time < 3; time += 1) logger.info('request');
    });
    expect(lines).toHaveLength(3);
  });
});
