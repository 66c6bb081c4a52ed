/** Of several servers that DATABASE_URL names, the one that takes writes is used, also after it has changed. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { isDatabaseAway } from '../errors/database-away.ts';
import { type Database, openDatabase } from './knex.ts';
import { serversIn } from './servers.ts';

test.each<[string, string[]]>([
  ['postgres://u:p@a/db', ['postgres://u:p@a/db']],
  ['postgres://a:1,b:2/db?ssl=true', ['postgres://a:1/db?ssl=true', 'postgres://b:2/db?ssl=true']],
  ['postgresql://u@[::1]:1,b', ['postgresql://u@[::1]:1', 'postgresql://u@b']],
  ['postgres:///db?host=/run/postgresql', ['postgres:///db?host=/run/postgresql']],
  ['postgres://a:1,b:x/db', []],
  ['mysql://a/db', []],
])('%s', (url, servers) => {
  expect(serversIn(url)).toEqual(servers);
});

describe('of two servers', () => {
  let first: FakeServer;
  let second: FakeServer;
  let database: Database;

  const open = async (parameters = '', servers = [first, second]) => {
    const addresses = servers.map(({ port }) => `127.0.0.1:${port}`);
    const databaseUrl = `postgres://tarishi@${addresses}/tarishi${parameters}`;
    const settings = { databaseUrl, dataDirectory: undefined, poolSize: 2 };
    database = await openDatabase(settings, pino({ level: 'silent' }), () => {});
  };
  /** The port of the server that a query reaches. */
  const reached = async () => {
    const { rows } = await database.knex.raw('select');
    return rows[0].port;
  };
  /** The same after connections were cut: of what was in use, one query each fails. */
  const reachedAgain = () => reached().catch(reached);

  beforeEach(async () => {
    first = await startFake();
    second = await startFake();
  });
  afterEach(async () => {
    await database?.close();
    first.close();
    second.close();
  });

  test.each([
    '',
    '?target_session_attrs=read-write',
  ])('the one that takes writes is used%s', async (words) => {
    first.is = 'standby';
    await open(words);
    expect(await reached()).toBe(second.port);
  });

  test.each<Condition>([
    'standby',
    'silent',
    'refusing',
  ])('when it turns %s, the other is used', async (is) => {
    second.is = 'standby';
    await open();
    expect(await reached()).toBe(first.port);
    first.is = is;
    second.is = 'primary';
    first.cut();
    expect(await reachedAgain()).toBe(second.port);
  });

  test('while none takes writes, the database is away', async () => {
    await open();
    first.is = 'standby';
    second.is = 'refusing';
    for (const server of [first, second]) server.cut();
    const error = await reachedAgain().catch((cause: Error) => cause);
    expect(isDatabaseAway(error)).toBe(true);
    second.is = 'primary';
    expect(await reached()).toBe(second.port);
  });

  test('a standby is not used where it is the only one', async () => {
    await open('', [first]);
    first.is = 'standby';
    first.cut();
    expect(isDatabaseAway(await reachedAgain().catch((cause: Error) => cause))).toBe(true);
    first.is = 'primary';
    expect(await reached()).toBe(first.port);
  });

  test('a server that is silent for long leaves the slots of the other', async () => {
    first.is = 'silent';
    await open();
    for (let time = 0; time < 5; time += 1) {
      second.cut();
      expect(await reachedAgain()).toBe(second.port);
    }
  });
});

type Condition = 'primary' | 'standby' | 'silent' | 'refusing';

interface FakeServer {
  port: number;
  is: Condition;
  /** Ends the connections there are. */
  cut: () => void;
  close: () => void;
}

/** As much of PostgreSQL's protocol as a connection needs: each query has the same row. */
async function startFake(): Promise<FakeServer> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    if (fake.is === 'refusing') return socket.destroy();
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    let started = false;
    socket.on('data', (bytes) => {
      if (fake.is === 'silent') return;
      if (started && !['Q', 'P'].includes(String.fromCharCode(bytes[0] ?? 0))) return;
      socket.write(started ? row() : Buffer.concat([message('R', int32(0)), ready]));
      started = true;
    });
    return socket;
  });
  const row = () => {
    const values = {
      version: 'PostgreSQL 15.0',
      transaction_read_only: fake.is === 'standby' ? 'on' : 'off',
      in_hot_standby: fake.is === 'standby' ? 'on' : 'off',
      port: String(fake.port),
    };
    const columns = Object.keys(values).map((name) => {
      const type = [int32(name === 'port' ? 23 : 25), int16(-1), int32(-1)];
      return Buffer.concat([Buffer.from(`${name}\0`), int32(0), int16(0), ...type, int16(0)]);
    });
    const fields = Object.values(values).map((value) =>
      Buffer.concat([int32(value.length), Buffer.from(value)]),
    );
    return Buffer.concat([
      message('T', int16(columns.length), ...columns),
      message('D', int16(fields.length), ...fields),
      message('C', Buffer.from('SELECT 1\0')),
      ready,
    ]);
  };
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const fake: FakeServer = {
    port: (server.address() as AddressInfo).port,
    is: 'primary',
    cut,
    close: () => {
      cut();
      server.close();
    },
  };
  return fake;
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function message(kind: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(kind), int32(body.length + 4), body]);
}

const ready = message('Z', Buffer.from('I'));
