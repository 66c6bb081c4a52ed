/** What people read about messages is kept as one page, and the guides say the same. */
import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { products } from '../products.ts';
import { connectorWords } from './connectors.ts';
import { casesOf, everySentence } from './every-sentence-testing.ts';
import { wordsOf } from './states.ts';
import { ownCodes } from './told.ts';

const page = new URL('every-sentence.txt', import.meta.url);
const networks = new URL('../../../docs/networks.md', import.meta.url);
const guide = new URL('../../../docs/guides/receipts.md', import.meta.url);

/** Written anew by `WRITE=sentences npm test -- src/model/words`, and then read from top to bottom. */
test('the page of all sentences is what the tables say', async () => {
  const sentences = everySentence();
  if (process.env.WRITE === 'sentences') await writeFile(page, sentences);
  expect(await readFile(page, 'utf8')).toBe(sentences);
});

test('the guide to receipts says the same of every state of an SMS', async () => {
  const text = await readFile(guide, 'utf8');
  const missing = products.sms.finalStates.flatMap((state) => {
    const cases = casesOf('sms', state).filter(
      ({ reasonCode }) =>
        reasonCode !== ownCodes.bundleNotDelivered && reasonCode !== ownCodes.fallbackNotNeeded,
    );
    const row = text.split('\n').find((line) => line.startsWith(`| ${state} |`)) ?? '';
    const sentences = cases.map((told) => wordsOf({ ...told, channel: 'the network' }).sentence);
    return [...new Set(sentences)]
      .map((sentence) => sentence.replace(/ The network gave no reason\.$/, ''))
      .filter((sentence) => !row.includes(sentence))
      .map((sentence) => `${state}: ${sentence}`);
  });
  expect(missing).toEqual([]);
});

test('the page on networks says the same of every condition of a connector', async () => {
  const text = await readFile(networks, 'utf8');
  const rows = Object.entries(connectorWords).map(
    ([condition, { heading, next = '' }]) => `| \`${condition}\` | ${heading} | ${next}`,
  );
  expect(rows.filter((row) => !text.includes(row))).toEqual([]);
});
