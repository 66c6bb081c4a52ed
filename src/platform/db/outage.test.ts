/** An outage of the database has one line when it begins and one when it ends, and its errors are known. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { isDatabaseAway } from '../errors/database-away.ts';
import { createOutages, type Outages } from './outage.ts';

const failure = (message: string, code?: string) =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

let lines: string[];
let outages: Outages;
let nowMs = 0;

beforeEach(() => {
  lines = [];
  nowMs = 0;
  const line = ({ reason, failures }: { reason?: string; failures?: number }, message: string) =>
    lines.push(`${message.replace(/:.*/, '')} ${reason ?? failures}`);
  outages = createOutages(
    { error: line, info: line } as never,
    () => true,
    () => nowMs,
  );
});

describe('an outage', () => {
  test('has one line when it begins, and one with the number of failures when a query succeeds', () => {
    const refused = failure('connect', 'ECONNREFUSED');
    for (let time = 0; time < 3; time += 1) outages.failed(refused);
    expect(isDatabaseAway(refused)).toBe(true);
    // Others may still fail.
    for (const ms of [0, 999, 1_000, 1_001]) {
      nowMs = ms;
      outages.answered();
      expect(lines).toHaveLength(ms < 1_000 ? 1 : 2);
    }
    expect(lines).toEqual(['database unreachable ECONNREFUSED', 'database reachable again 3']);
  });

  test.each([
    [
      'the statement and why its connection ended',
      'select 1 - Connection terminated unexpectedly',
      undefined,
    ],
    ['a server that is shutting down', 'select 1 - terminating connection', '57P01'],
    ['a server that takes no writes', 'insert … - cannot execute INSERT in a read-only transaction', '25006'],
    ['a query that got no response', 'select 1 - the database does not respond', undefined],
  ])('is seen in %s', (_what, message, code) => {
    const error = failure(message, code);
    outages.failed(error);
    expect(isDatabaseAway(error)).toBe(true);
    expect(lines).toHaveLength(1);
    expect(lines.join()).not.toContain('select');
  });

  test.each([
    ['a row that breaks a constraint', 'insert … - duplicate key', '23505'],
    ['a database error that quotes words of a client', "invalid input ' - timeout expired", '22P02'],
    ['a fault of ours', 'select 1 - x is not a function', undefined],
  ])('is not %s', (_what, message, code) => {
    const error = failure(message, code);
    outages.failed(error);
    expect([isDatabaseAway(error), lines]).toEqual([false, []]);
  });
});

test('the same codes of another network are no outage', () => {
  expect(isDatabaseAway(failure('connect', 'ECONNREFUSED'))).toBe(false);
});
