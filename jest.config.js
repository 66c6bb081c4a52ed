/**
 * Four projects, by folder: `unit` tests modules, `operations` single calls (also through a validating proxy),
 * `processes` whole deployments, `docs` what does not depend on the database. Jest runs TypeScript as native ES modules;
 * `npm run check` checks the types. `npm test` leaves out what is named `.slow.test.ts`: browsers, generators,
 * packages, tours, kills under load and peers of networks, which `npm run test:all` adds.
 */
import { execFileSync } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRunDirectory } from './src/platform/run-directory-testing.ts';

const shared = '<rootDir>/contract-tests/support/shared';
const withSharedService = {
  globalSetup: `${shared}/setup.ts`,
  globalTeardown: `${shared}/teardown.ts`,
};
const projects = {
  unit: '{src,handlers,spec,tools,contract-tests/faults}',
  operations: 'contract-tests/operations',
  processes: 'contract-tests/processes',
  docs: '{contract-tests/docs,clients,deploy}',
};

// Random tests try the same input in each run, and different input every night. A failing one prints its seed.
process.env.SEED ??=
  process.env.TESTS === 'all' ? new Date().toISOString().slice(0, 10).replaceAll('-', '') : '1';

// What slow tests use of tools/, which npm test does without.
if (!process.argv.includes('--testPathIgnorePatterns=.slow.test'))
  execFileSync(process.execPath, [join(import.meta.dirname, 'tools/install.ts')], { stdio: 'inherit' });

// In memory, where there is room: creating and syncing the files of so many databases takes longer than the tests.
const memory = '/dev/shm';
if (process.env.TMPDIR === undefined && freeGigabytes(memory) >= 4) process.env.TMPDIR = memory;
process.env.TMPDIR = openRunDirectory(tmpdir());

export default {
  projects: Object.entries(projects).map(([displayName, folders]) => ({
    displayName,
    testMatch: [`<rootDir>/${folders}/**/*.test.ts`],
    testPathIgnorePatterns: ['/node_modules/'],
    testEnvironment: '<rootDir>/src/platform/db/kept-databases-testing.ts',
    ...(['operations', 'docs'].includes(displayName) ? withSharedService : {}),
    extensionsToTreatAsEsm: ['.ts'],
    transform: { '^.+\\.ts$': '<rootDir>/tools/jest-transform.js' },
  })),
  // Tests wait for what happens, however busy the machine is, and set a limit of their own only where they take longer.
  testTimeout: 180_000,
  maxWorkers: 2,
  testSequencer: '<rootDir>/tools/longest-first.js',
  // A worker keeps the modules of every file that it ran; it is replaced after a file that leaves it with more.
  workerIdleMemoryLimit: '700MB',
};

function freeGigabytes(directory) {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return (bavail * bsize) / 2 ** 30;
  } catch {
    return 0;
  }
}
