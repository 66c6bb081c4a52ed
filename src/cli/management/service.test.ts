/** How a command reaches the management API when somebody else uses the embedded database. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { DirectoryInUse } from '../../platform/db/embedded/directory-lock.ts';
import { freePort } from '../../platform/free-port-testing.ts';
import { readConfig } from '../../process/config.ts';
import { openService } from './service.ts';

const directory = mkdtempSync(join(tmpdir(), 'tarishi-in-use-'));
afterAll(() => rmSync(directory, { recursive: true }));

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
