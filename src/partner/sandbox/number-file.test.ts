/** Files of number scripts: what is wrong in one is said with its place. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { readNumberFile } from './number-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'tarishi-numbers-'));
const file = join(directory, 'numbers.json');
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const read = (text: string) => {
  writeFileSync(file, text);
  return readNumberFile(file);
};

test('a correct file is read', () => {
  const scripts = { '+254711000017': { steps: [{ step: 'report', state: 'Delivered', after: 'PT30S' }] } };
  expect(read(JSON.stringify(scripts))).toEqual(scripts);
});

testEvery([
  ['{', 'cannot be read: '],
  ['[]', 'are wrong: it must be'],
  [
    '{"+254711000017":{"steps":[{"step":"dance"}]}}',
    "are wrong: /+254711000017/steps/0/step 'dance' is unknown",
  ],
  ['{"+254711000017":{"steps":[{"step":"throttle","times":0}]}}', '/+254711000017/steps/0/times must be'],
  ['{"+254711000017":{"stps":[]}}', 'are wrong: /+254711000017'],
  ['{"0711":{"steps":[]}}', "are wrong: '0711' is not a valid name"],
])('%s is rejected', (text, fault) => {
  expect(() => read(text)).toThrow(`the number scripts in ${file} `);
  expect(() => read(text)).toThrow(fault);
});
