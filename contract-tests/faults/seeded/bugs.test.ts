/** The mistakes that prove the faults can still be put in; `node contract-tests/faults/seeded/main.ts` has them found. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { bugs } from './bugs.ts';

const root = new URL('../../../', import.meta.url);

test.each(bugs)('$name', ({ changes }) => {
  for (const { file, from } of changes) {
    const text = readFileSync(new URL(file, root), 'utf8');
    expect(text.split(from)).toHaveLength(2);
  }
});
