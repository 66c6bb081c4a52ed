/** What the log contains of an error, and what it must not contain. */
import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { testDatabase } from './db/opened-testing.ts';
import { testEvery } from './for-every-testing.ts';
import { createLog } from './log.ts';

const database = testDatabase();

/** What one line about an error says. */
async function logged(error: unknown) {
  const stream = new PassThrough();
  const { logger, flush } = createLog('info', 'json', stream);
  logger.error({ err: error }, 'request failed');
  await flush();
  const text = String(stream.read());
  return { text, line: JSON.parse(text) };
}

const phone = '+254711987654';
const canary = `canary ${phone}`;

testEvery<[string, () => PromiseLike<unknown>]>([
  ['a value in the statement', () => database.knex.raw(`select '${canary}'::bigint`)],
  ['a row that breaks a constraint', () => database.knex('teams').insert({ id: canary, name: null })],
  ['lines like those of a stack', () => database.knex.raw('select ?::bigint', [`x\n    at ${canary}`])],
])('an error of the database, %s: its code and place, and no value', async (_rule, fail) => {
  const { text, line } = await logged(await Promise.resolve(fail()).catch((error: unknown) => error));
  expect(text).not.toContain('canary');
  expect(text).not.toContain(phone);
  expect(line.err.message).toMatch(/^database error [0-9A-Z]{5}$/);
  expect(line.err.message).toContain(line.err.code);
});

describe('another error', () => {
  test('keeps its words and its frames', async () => {
    const { line } = await logged(new TypeError('no connector'));
    expect(line).toMatchObject({
      level: 50,
      msg: 'request failed',
      err: { type: 'TypeError', message: 'no connector' },
    });
    expect(line.err.frames[0]).toMatch(/^ {4}at .*log\.test/);
  });

  test('loses its fields, nested errors and thrown values', async () => {
    const error = Object.assign(new Error('outside', { cause: new Error(canary) }), {
      bindings: [canary],
      request: { body: canary },
    });
    expect((await logged(error)).text).not.toContain('canary');
    expect((await logged({ phone: canary })).text).not.toContain('canary');
    expect((await logged(canary)).line.err).toEqual({ message: 'not an Error' });
  });
});
