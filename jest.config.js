/**
 * Four projects, by folder: `unit` tests modules, `operations` single calls (also through a validating proxy),
 * `processes` whole deployments, `docs` what does not depend on the database. Jest runs TypeScript through swc as
 * native ES modules; `npm run check` checks the types.
 */
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unaffectedTests } from './jest.affected.js';
import { openRunDirectory } from './src/platform/run-directory-testing.ts';

const shared = '<rootDir>/contract-tests/support/shared';
const withSharedService = {
  globalSetup: `${shared}/setup.ts`,
  globalTeardown: `${shared}/teardown.ts`,
};
const projects = {
  unit: '{src,handlers,spec,faults,compatibility,patterns,bench}',
  operations: 'contract-tests/operations',
  processes: 'contract-tests/processes',
  docs: '{contract-tests/docs,clients,deploy}',
};

// In memory, where there is room: creating and syncing the files of so many databases takes longer than the tests.
const memory = '/dev/shm';
if (process.env.TMPDIR === undefined && freeGigabytes(memory) >= 4) process.env.TMPDIR = memory;
process.env.TMPDIR = openRunDirectory(tmpdir());
// The programs that tests start, many of them twenty times, are compiled once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node');

const leftOut = unaffectedTests();

export default {
  projects: Object.entries(projects).map(([displayName, folders]) => ({
    displayName,
    testMatch: [`<rootDir>/${folders}/**/*.test.ts`],
    testPathIgnorePatterns: ['/node_modules/', ...leftOut],
    testEnvironment: 'node',
    ...(['operations', 'docs'].includes(displayName) ? withSharedService : {}),
    extensionsToTreatAsEsm: ['.ts'],
    transform: {
      '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2024', parser: { syntax: 'typescript' } } }],
    },
  })),
  // Longer than a service may take to start: see contract-tests/support/service/service.ts.
  testTimeout: 90_000,
  // More than the cores of a small machine: many files wait for clocks and processes half of the time.
  maxWorkers: 3,
};

function freeGigabytes(directory) {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return (bavail * bsize) / 2 ** 30;
  } catch {
    return 0;
  }
}
