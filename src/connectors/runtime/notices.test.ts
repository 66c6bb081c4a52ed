/** What networks say of an account is kept while it holds. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../platform/db/testing.ts';
import { resumeConnector } from './management-repository.ts';
import { createConnectorRepository } from './repository.ts';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
});
afterAll(() => database.close());

test('a notice is kept until another one about the same, its end, or a resumption', async () => {
  const { knex } = database;
  const { notice } = createConnectorRepository(knex);
  const kept = async () =>
    Object.entries((await knex('connectors').where({ name: 'chat-simulator' }).first('notices')).notices);
  const say = (about: string, says?: string, until?: Date) =>
    notice('chat-simulator', [{ about, says, until }]);
  await say('number', 'low');
  await say('restriction', 'until yesterday', new Date(Date.now() - 86_400_000));
  await say('template', 'medium');
  await say('template', 'low');
  expect(await kept()).toEqual([
    ['number', { says: 'low' }],
    ['template', { says: 'low' }],
  ]);
  await say('number');
  expect((await kept()).map(([about]) => about)).toEqual(['template']);
  await resumeConnector(knex, 'chat-simulator');
  expect(await kept()).toEqual([]);
});
