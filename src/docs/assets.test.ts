/** The vendored script of the reference is what its record says, and what its package holds. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root));
const origin = JSON.parse(String(read('vendor/scalar/origin.json')));
const hashOf = (content: Buffer) => createHash('sha256').update(content).digest('hex');

test('Scalar is the file whose hash is on record, with its licence', () => {
  expect(hashOf(read('vendor/scalar/standalone.js'))).toBe(origin.sha256);
  expect(String(read('vendor/scalar/LICENSE'))).toContain('MIT License');
});

test('Scalar is what the package of the lockfile holds (npm run vendor:scalar copies it)', () => {
  const { packages } = JSON.parse(String(read('package-lock.json')));
  expect(packages[`node_modules/${origin.package}`].version).toBe(origin.version);
  expect(hashOf(read(`node_modules/${origin.package}/${origin.file}`))).toBe(origin.sha256);
});

test('no package of Scalar is needed in production', () => {
  const { packages } = JSON.parse(String(read('package-lock.json')));
  const needed = Object.entries<{ dev?: true }>(packages).filter(
    ([path, { dev }]) => path.includes('node_modules/@scalar/') && !dev,
  );
  expect(needed).toEqual([]);
});
