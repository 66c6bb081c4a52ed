/** How a command reaches the management API when somebody else uses the embedded database. */
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { DirectoryInUse } from '../../platform/db/embedded/directory-lock.ts';
import { freePort } from '../../platform/free-port-testing.ts';
import { readConfig } from '../../process/config.ts';
import { openService } from './service.ts';

const directory = mkdtempSync(join(tmpdir(), 'tarishi-in-use-'));

test('a data directory that another command uses, with no service beside it: the error names the process', async () => {
  const port = await freePort();
  const config = readConfig({ DATA_DIR: directory, MANAGEMENT_PORT: String(port) });
  const service = await openService(
    { url: undefined, accessKey: 'root.key' },
    {
      config,
      environment: {},
      open: () => Promise.reject(new DirectoryInUse(directory, '4711')),
    },
  );
  await expect(service.call({ method: 'get', path: '/teams' })).rejects.toThrow(
    new RegExp(
      `^process 4711 uses the data directory .+; http://.+:${port}/management does not respond: .*ECONNREFUSED`,
    ),
  );
});

test('a service that accepts the call and is silent: the command gives up', async () => {
  const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  try {
    const service = await openService(
      { url: `http://127.0.0.1:${port}/management`, accessKey: 'root.key' },
      {
        config: readConfig({}),
        environment: {},
        open: () => Promise.reject(new Error('unused')),
        silenceMs: 50,
      },
    );
    await expect(service.call({ method: 'get', path: '/teams' })).rejects.toThrow('silent for 50 ms');
  } finally {
    silent.close();
  }
});
