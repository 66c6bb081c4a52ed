/** Runs the HAProxy of this folder in front of other cells. */
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const startLimitMs = 20_000;

/** Prints why not. */
export function isInstalled(): boolean {
  const installed = (spawnSync('haproxy', ['-v']) as SpawnSyncReturns<Buffer>).error === undefined;
  if (!installed) process.stderr.write('skipped: haproxy is not installed\n');
  return installed;
}

const hostOf = (url = '') => new URL(url).host;

export interface Haproxy {
  baseUrl: string;
  /** Moves a client while it runs, as `socat` does. */
  route: (clientId: string, place: string) => Promise<void>;
  stop: () => Promise<void>;
}

/** Resolves when it passes requests on. `cells`: the URLs of one or two `serve`; `clients`: the cell of each by its id. */
export async function startHaproxy({
  port,
  folder,
  cells: [one, two],
  clients = {},
}: {
  port: number;
  folder: string;
  cells: readonly [readonly string[], readonly string[]];
  clients?: Readonly<Record<string, string>>;
}): Promise<Haproxy> {
  const baseUrl = `http://127.0.0.1:${port}`;
  const clientsMap = join(folder, 'clients.map');
  const socketPath = join(folder, 'haproxy.sock');
  copyFileSync(new URL('connectors.map', import.meta.url), join(folder, 'connectors.map'));
  writeFileSync(
    clientsMap,
    Object.entries(clients)
      .map((line) => `${line.join(' ')}\n`)
      .join(''),
  );
  const haproxy = spawn('haproxy', ['-db', '-f', fileURLToPath(new URL('haproxy.cfg', import.meta.url))], {
    env: {
      PATH: process.env.PATH,
      LISTEN: new URL(baseUrl).host,
      FOLDER: folder,
      SOCKET: socketPath,
      CELL1_SERVE1: hostOf(one.at(0)),
      CELL1_SERVE2: hostOf(one.at(-1)),
      CELL2_SERVE1: hostOf(two.at(0)),
      CELL2_SERVE2: hostOf(two.at(-1)),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const killWithTests = () => haproxy.kill('SIGKILL');
  process.once('exit', killWithTests);
  let log = '';
  haproxy.stderr.on('data', (bytes) => {
    log += bytes;
  });
  const ended = once(haproxy, 'exit');
  const deadlineMs = performance.now() + startLimitMs;
  for (;;) {
    const answer = await fetch(`${baseUrl}/healthz`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.status === 200) break;
    if (haproxy.exitCode !== null || performance.now() > deadlineMs)
      throw new Error(`haproxy is not ready (${answer?.status}): ${log}`);
    await delay(50);
  }
  return {
    baseUrl,
    async route(clientId, place) {
      const socket = createConnection(socketPath);
      socket.end(`set map ${clientsMap} ${clientId} ${place}\n`);
      const fault = (await text(socket)).trim();
      if (fault !== '') throw new Error(fault);
    },
    async stop() {
      process.off('exit', killWithTests);
      haproxy.kill('SIGTERM');
      await ended;
    },
  };
}
