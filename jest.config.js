/** Jest runs TypeScript through swc as native ES modules; types are checked by `npm run check`. */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2024', parser: { syntax: 'typescript' } } }],
  },
  testMatch: ['<rootDir>/{src,handlers,compatibility,contract-tests,sandbox,bench,clients}/**/*.test.ts'],
  testTimeout: 60_000,
  maxWorkers: 2,
};
