/** Commands that the code prints: each as it can be typed in the folder where it is printed. */
import { expect, test } from '@jest/globals';
import { filesBelow, readSource } from '../architecture/sources-testing.ts';
import { allCommands } from './main.ts';

test('none is printed as if tarishi were installed for all folders', () => {
  const words = allCommands().map((command) => command.words);
  const printed = new RegExp(`(?<!npx |=")\\btarishi (?:${words.join('|')})\\b`, 'g');
  const found = filesBelow('src')
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap(
      (path) =>
        readSource(path)
          .code.match(printed)
          ?.map((command) => `${path}: ${command}`) ?? [],
    );
  expect(found).toEqual([]);
});
