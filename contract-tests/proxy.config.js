/** The tests of single operations with a validating proxy before each service: `npm run test:proxy`. */
import { fileURLToPath } from 'node:url';
import tests from '../jest.config.js';

const rootDir = fileURLToPath(new URL('..', import.meta.url));
process.env.TARISHI_THROUGH = 'proxy';

export default {
  ...tests,
  rootDir,
  projects: tests.projects
    .filter(({ displayName }) => displayName === 'operations')
    .map((project) => ({
      ...project,
      rootDir,
      // On PostgreSQL limits are counted by the database's clock, which the tests of limits cannot move.
      testPathIgnorePatterns: ['/node_modules/', '/console/', '/management/', '/every-operation/limits'],
    })),
};
