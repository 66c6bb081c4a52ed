/** The list of quarantined items, and their retries. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { ItemFault } from '../../platform/isolation/fault.ts';
import { insertQuarantined } from '../../platform/isolation/quarantine-repository.ts';
import { useCommandLine } from '../line/testing.ts';

const { database, tarishi } = useCommandLine();
beforeAll(async () => {
  for (const item of ['a', 'b']) {
    const failed = { round: 'silence', item, messageId: '7', payload: { text: '\0\ud83d' } } as const;
    await insertQuarantined(database.knex, failed, new ItemFault('the receipt cannot be written'));
  }
});
const run = (words: string) => tarishi(`quarantine ${words}`);

const rows = [1, 2].map((id) => ({
  id: String(id),
  round: 'silence',
  item: id === 1 ? 'a' : 'b',
  messageNumber: '7',
  reason: 'the receipt cannot be written',
  attempts: 1,
  createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
  retrying: false,
}));

test('the list names each item with its reason', async () => {
  expect(await run('list')).toEqual(rows);
});

describe('a retry', () => {
  test('of one item leaves the others', async () => {
    expect(await run('retry 2')).toEqual([{ ...rows[1], retrying: true }]);
    expect(await run('list')).toEqual([rows[0], { ...rows[1], retrying: true }]);
  });

  test('of all', async () => {
    expect(await run('retry --all')).toMatchObject([{ retrying: true }, { retrying: true }]);
  });

  testEvery(['retry', 'retry 1 --all', 'retry one'])('%s is rejected', async (words) => {
    expect(await run(words)).toMatch(/<item>/);
  });

  test('of an unknown item is rejected', async () => {
    expect(await run('retry 99')).toBe('quarantined item 99 does not exist');
  });
});
