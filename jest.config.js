/** Jest runs TypeScript through swc as native ES modules; types are checked by `npm run check`. */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2024', parser: { syntax: 'typescript' } } }],
  },
  testMatch: [
    '<rootDir>/{src,handlers,compatibility,patterns,contract-tests,sandbox,bench,clients}/**/*.test.ts',
  ],
  // More than a service may take to start: see contract-tests/service.ts.
  testTimeout: 90_000,
  // One more than the cores of a small machine: many files wait for clocks and processes.
  maxWorkers: 3,
};
