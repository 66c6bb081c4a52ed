/** Which failures of PostgreSQL are waited for, and how often that is logged. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { openDatabase } from './knex.ts';
import { unreachable, whenReachable } from './reach.ts';

const failure = (message: string, code?: string) =>
  Object.assign(new Error(message), code === undefined ? {} : { code });
const silent = pino({ level: 'silent' });

describe('a server that is away', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test.each([
    ['refuses connections', failure('', 'ECONNREFUSED')],
    ['is starting', failure('the database system is starting up', '57P03')],
    ['is shutting down', failure('terminating connection', '57P01')],
    ['has no room', failure('too many clients', '53300')],
    ['has no address yet', failure('getaddrinfo', 'EAI_AGAIN')],
    ['does not respond', failure('timeout expired')],
    ['hangs up', failure('Connection terminated unexpectedly')],
  ])('that %s is waited for', async (_how, error) => {
    const work = jest.fn<() => Promise<string>>().mockRejectedValueOnce(error).mockResolvedValue('there');
    const reached = whenReachable(silent, work);
    await jest.runAllTimersAsync();
    expect(await reached).toBe('there');
  });

  test('is tried less often with time, and logged at first and every ten seconds', async () => {
    const startedMs = performance.now();
    const asked: number[] = [];
    const said: number[] = [];
    const elapsed = () => Math.round(performance.now() - startedMs);
    const logger = { warn: () => said.push(elapsed()) } as never;
    const reached = whenReachable(logger, async () => {
      asked.push(elapsed());
      if (elapsed() < 20_000) throw failure('', 'ECONNREFUSED');
    });
    await jest.runAllTimersAsync();
    await reached;
    expect(asked).toEqual([0, 250, 750, 1_750, 3_750, 7_750, 12_750, 17_750, 22_750]);
    expect(said).toEqual([0, 12_750]);
  });
});

test.each([
  ['password authentication failed for user "tarishi"', '28P01'],
  ['database "tarishi" does not exist', '3D000'],
  ['relation "messages" already exists', '42P07'],
])('%s is not waited for', async (message, code) => {
  const error = failure(message, code);
  await expect(whenReachable(silent, () => Promise.reject(error))).rejects.toBe(error);
});

test('unreachable servers are named by their setting, without the password', () => {
  const url = 'postgres://user:secret@first:1,second:2/sms?password=secret';
  expect(unreachable(url, failure('', 'ECONNREFUSED')).message).toBe(
    'the database that DATABASE_URL names, postgres://user@first:1,second:2/sms, cannot be used: ECONNREFUSED',
  );
});

test('a command does not wait', async () => {
  // Nothing listens on the discard port.
  const databaseUrl = 'postgres://user:secret@127.0.0.1:9/sms';
  const opened = openDatabase({ databaseUrl, dataDirectory: undefined, poolSize: 1 }, silent, () => {});
  await expect(opened).rejects.toThrow(/^the database that DATABASE_URL names, .*ECONNREFUSED/);
});

const serverUrl = process.env.DATABASE_URL;
if (serverUrl === undefined)
  process.stdout.write('skipped without DATABASE_URL: a database that does not exist\n');
const onPostgres = serverUrl === undefined ? test.skip : test;

onPostgres('a database that does not exist ends a service at once', async () => {
  const url = new URL(serverUrl ?? '');
  url.pathname = '/tarishi_nowhere';
  const settings = { databaseUrl: url.href, dataDirectory: undefined, poolSize: 1, waits: true };
  await expect(openDatabase(settings, silent, () => {})).rejects.toThrow(/"tarishi_nowhere" does not exist/);
});
