/** The conformance kit passes a client whose every call goes through HAProxy. */
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { createControl } from '../../src/partner/conform/client/control.ts';
import { testClient } from '../../src/partner/conform/client/kit.ts';
import { clientSituations } from '../../src/partner/conform/client/situations.ts';
import { startTestSandbox, type TestSandbox } from '../../src/partner/sandbox/sandbox-testing.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { isInstalled } from './haproxy-testing.ts';

const patienceSeconds = 8;
const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

(isInstalled() ? test : test.skip)(
  'in each situation the client does through HAProxy what it should',
  async () => {
    const sandboxes = [await startTestSandbox(), await startTestSandbox()];
    const unused = [...sandboxes];
    const found = await testClient({
      openSandbox: async () => createControl((unused.shift() as TestSandbox).description),
      parallel: sandboxes.length,
      command: {
        words: [
          ...[process.execPath, path('through-haproxy-testing.ts')],
          ...[process.execPath, path('../../examples/typescript/send.ts')],
          ...['+254711000101', '+254711000102', '+254711000103'],
        ],
        environment: { ...process.env, REQUEST_TIMEOUT_SECONDS: '3' },
      },
      situations: clientSituations(patienceSeconds),
      patienceSeconds,
      clock: systemClock,
      onResult: () => {},
    });
    await Promise.all(sandboxes.map((sandbox) => sandbox.stop()));
    expect(found.length).toBeGreaterThan(10);
    expect(found.filter(({ findings }) => findings.length > 0)).toEqual([]);
  },
  300_000,
);
