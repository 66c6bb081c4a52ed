/** A way to PostgreSQL that tests cut, stall or lead elsewhere, a service at its end, and a host that cannot be reached. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { type Demo, readDemoFile } from '../../../src/demo/file.ts';
import { openDatabase } from '../../../src/platform/db/knex.ts';
import { createFreshDatabase } from '../../../src/platform/db/testing.ts';
import { tokenFor } from './api.ts';
import { type Beside, startProcess } from './deployment.ts';

export interface Road {
  url: string;
  /** Ends all connections, and new ones at once. */
  cut: () => void;
  /** Nothing more arrives on any connection. */
  stall: () => void;
  /** Ends all connections, and says nothing on new ones. */
  mute: () => void;
  /** Ends all connections; new ones lead to this port of 127.0.0.1. */
  leadTo: (port: number) => void;
  open: () => void;
  close: () => void;
}

async function roadTo(databaseUrl: string): Promise<Road> {
  const database = new URL(databaseUrl);
  const home = { port: Number(database.port || 5432), host: database.hostname };
  let target = home;
  let state: 'open' | 'cut' | 'stalled' | 'mute' = 'open';
  const pairs = new Set<readonly [Socket, Socket]>();
  const quiet = new Set<Socket>();
  const server: Server = createServer((near) => {
    if (state === 'cut') {
      near.destroy();
      return;
    }
    if (state === 'mute') {
      quiet.add(near.on('error', () => {}).on('close', () => quiet.delete(near)));
      return;
    }
    const far = connect(target);
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on('error', () => {});
      from.on('close', () => {
        to.destroy();
        pairs.delete(pair);
      });
      from.on('data', (bytes) => {
        // What was under way when the road was stalled never arrives.
        if (state !== 'stalled') to.write(bytes);
      });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const end = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    for (const socket of quiet) socket.destroy();
  };
  return {
    url: url.href,
    cut: () => {
      state = 'cut';
      end();
    },
    stall: () => {
      state = 'stalled';
    },
    mute: () => {
      state = 'mute';
      end();
    },
    leadTo: (port) => {
      target = { port, host: '127.0.0.1' };
      end();
    },
    open: () => {
      // Bytes are missing from what was stalled, and what led elsewhere is of no use.
      if (state === 'stalled' || state === 'mute' || target !== home) end();
      state = 'open';
      target = home;
    },
    close: () => {
      end();
      server.close();
    },
  };
}

/** A service with demo data on a PostgreSQL of its own, to which a road leads. */
export interface OnRoad {
  road: Road;
  service: Beside;
  demo: Demo;
  token: string;
  /** The database by a way of its own, and its URL. */
  knex: Knex;
  url: string;
  end: () => Promise<void>;
}

/** `urlOf`: what the service has as DATABASE_URL. */
export async function startOnRoad(
  serverUrl: string,
  urlOf: (road: Road) => string | Promise<string> = ({ url }) => url,
): Promise<OnRoad> {
  const directory = mkdtempSync(join(tmpdir(), 'tarishi-road-'));
  const { url, drop } = await createFreshDatabase(serverUrl);
  const road = await roadTo(url);
  const service = await startProcess('start', {
    DATA_DIR: directory,
    DATABASE_URL: await urlOf(road),
    RATE_LIMIT_PER_SECOND: '1000000',
  });
  const demo = readDemoFile(directory);
  const where = { databaseUrl: url, dataDirectory: undefined, poolSize: 2 };
  const database = await openDatabase(where, pino({ level: 'silent' }), () => {});
  return {
    ...{ road, service, demo, url, knex: database.knex },
    token: await tokenFor(service.baseUrl, demo),
    end: async () => {
      road.close();
      await service.kill();
      await database.close();
      await drop();
      rmSync(directory, { recursive: true });
    },
  };
}

const listening = `const server = require('node:net').createServer();
server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => console.log(server.address().port));`;

/** A port whose host drops every packet: its process is stopped, and others wait to be accepted. */
export async function startUnreachable(): Promise<{ port: number; close: () => void }> {
  const child = spawn(process.execPath, ['-e', listening], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  const port = Number(String(line));
  child.kill('SIGSTOP');
  const waiting: Socket[] = [];
  for (let connected = true; connected; ) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    waiting.push(socket);
    connected = await Promise.race([
      once(socket, 'connect').then(() => true),
      new Promise<boolean>((resolve) => setTimeout(resolve, 500, false)),
    ]);
  }
  return {
    port,
    close: () => {
      for (const socket of waiting) socket.destroy();
      child.kill('SIGKILL');
    },
  };
}
