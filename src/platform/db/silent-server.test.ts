/** A server that accepts connections and is silent: however long that lasts, the pool leaves no more than its size there. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { isDatabaseAway } from '../errors/database-away.ts';
import { type ConnectionSlots, createConnectionSlots } from './connection-slots.ts';
import { openDatabase } from './knex.ts';

const size = 3;
const patienceMs = 5_000;

describe('slots', () => {
  let slots: ConnectionSlots;
  let made: FakeSocket[];
  let answers: boolean;

  class FakeSocket {
    destroyed = false;
    #listeners: (() => void)[] = [];
    once = (_event: 'close', listener: () => void) => void this.#listeners.push(listener);
    destroy = () => {
      if (this.destroyed) return;
      this.destroyed = true;
      for (const listener of this.#listeners) listener();
    };
  }

  beforeEach(() => {
    jest.useFakeTimers();
    made = [];
    answers = true;
    slots = createConnectionSlots({ size, patienceMs, random: () => 0.5 });
  });
  afterEach(() => {
    slots.close();
    jest.useRealTimers();
  });

  const open = () =>
    slots.open((onSocket) => {
      const socket = new FakeSocket();
      made.push(socket);
      onSocket(socket as unknown as Socket);
      return answers ? Promise.resolve(socket) : new Promise<FakeSocket>(() => {});
    });
  /** The outcome of an attempt once its patience is over. */
  const attempt = async () => {
    const outcome = open().then(
      (socket) => socket,
      (error: Error) => error.message,
    );
    await jest.advanceTimersByTimeAsync(patienceMs);
    return outcome;
  };
  const giveUp = (socket: FakeSocket) => slots.giveUp(socket as unknown as Socket);
  const openNow = () => made.filter(({ destroyed }) => !destroyed).length;

  test('there are as many as the size; one more waits for a place, with patience', async () => {
    await Promise.all(Array.from({ length: size }, open));
    expect(await attempt()).toBe('the database does not respond');
    const next = open();
    made[0]?.destroy();
    expect(await next).toBe(made[size]);
    expect(openNow()).toBe(size);
  });

  test.each([
    ['connections', false],
    ['queries', true],
  ])('an hour in which %s get no response leaves a dozen sessions more than the size at most', async (_what, connects) => {
    answers = connects;
    for (let passedMs = 0; passedMs < 3_600_000; passedMs += patienceMs) {
      for (let time = 0; time < 2 * size; time += 1) open().catch(() => {});
      await jest.advanceTimersByTimeAsync(patienceMs);
      for (const socket of made) giveUp(socket);
      expect(openNow()).toBeLessThanOrEqual(size);
    }
    expect(made.length).toBeLessThan(size + 12);
  });

  test('when the server responds on one of them, all are free at once', async () => {
    const sockets = await Promise.all(Array.from({ length: size }, open));
    for (const socket of sockets) giveUp(socket);
    slots.responded();
    await Promise.all(Array.from({ length: size }, open));
    expect([openNow(), made.length]).toEqual([size, 2 * size]);
  });

  test('when the server is gone for good, one new connection that works frees all', async () => {
    const sockets = await Promise.all(Array.from({ length: size }, open));
    for (const socket of sockets) giveUp(socket);
    expect(await attempt()).toBe(made[size]);
    await jest.advanceTimersByTimeAsync(2 * patienceMs);
    expect(openNow()).toBe(1);
    await Promise.all(Array.from({ length: size - 1 }, open));
    expect(openNow()).toBe(size);
  });

  test('a connection that fails at once frees its place', async () => {
    for (let time = 0; time < 2 * size; time += 1)
      await expect(
        slots.open((onSocket) => {
          onSocket(new FakeSocket() as unknown as Socket);
          return Promise.reject(new Error('refused'));
        }),
      ).rejects.toThrow('refused');
  });
});

describe('a pool', () => {
  let server: Server;
  let accepted: Socket[];

  beforeEach(async () => {
    accepted = [];
    server = createServer((socket) => void accepted.push(socket.on('error', () => {})));
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(() => {
    for (const socket of accepted) socket.destroy();
    server.close();
  });

  test('leaves its size of connections at a server that never responds, and says that it is away', async () => {
    const { port } = server.address() as AddressInfo;
    const databaseUrl = `postgres://tarishi@127.0.0.1:${port}/tarishi`;
    const opening = openDatabase(
      { databaseUrl, dataDirectory: undefined, poolSize: 1 },
      pino({ level: 'silent' }),
      () => {},
    );
    const error = await opening.catch((cause: Error) => cause);
    expect(String(error)).toMatch(/cannot be used: .*(does not respond|Timeout acquiring)/);
    expect(accepted).toHaveLength(1);
    expect(isDatabaseAway(error)).toBe(false);
  });
});
