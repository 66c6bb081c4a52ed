/** The list of what is in quarantine, and what may be asked of it. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '../db/knex.ts';
import { openTestDatabase } from '../db/testing.ts';
import { ItemFault } from '../isolation/fault.ts';
import { insertQuarantined } from '../isolation/quarantine-repository.ts';
import { readArguments } from './arguments.ts';
import type { Context } from './command.ts';
import { quarantineCommands } from './quarantine.ts';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
  for (const item of ['a', 'b']) {
    const failed = { round: 'silence', item, messageId: '7', payload: { text: '\0\ud83d' } } as const;
    await insertQuarantined(database.knex, failed, new ItemFault('the receipt cannot be written'));
  }
});
afterAll(() => database.close());

async function run(...words: string[]) {
  const command = quarantineCommands.find((one) => one.words === `quarantine ${words[0]}`);
  if (command === undefined) throw new Error('no such command');
  const { values } = readArguments(command, words.slice(1));
  return command.run(values, { database: async () => database } as Context);
}

const rows = [1, 2].map((id) => ({
  id: String(id),
  round: 'silence',
  item: id === 1 ? 'a' : 'b',
  message: '7',
  reason: 'the receipt cannot be written',
  attempts: 1,
  since: expect.stringMatching(/^\d{4}-.*Z$/),
  retrying: false,
}));

test('the list names each item with its reason', async () => {
  expect(await run('list')).toEqual({ list: rows });
});

describe('a retry', () => {
  test('of one item leaves the others', async () => {
    expect(await run('retry', '2')).toEqual({ list: [{ ...rows[1], retrying: true }] });
    expect(await run('list')).toEqual({ list: [rows[0], { ...rows[1], retrying: true }] });
  });

  test('of all', async () => {
    const answer = await run('retry', '--all');
    expect(answer).toMatchObject({ list: [{ retrying: true }, { retrying: true }] });
  });

  test.each([[['retry']], [['retry', '1', '--all']], [['retry', 'one']]])('%j is refused', async (words) => {
    await expect(run(...words)).rejects.toThrow(/<id>/);
  });

  test('of an item that does not exist is refused', async () => {
    await expect(run('retry', '99')).rejects.toThrow('quarantine has no item 99');
  });
});
