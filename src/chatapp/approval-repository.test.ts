/** News of a network move the templates of teams that send through it, and of nobody else. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../db/knex.ts';
import { openTestDatabase } from '../db/testing.ts';
import { recordApprovals } from './approval-repository.ts';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
  const { knex } = database;
  for (const team of ['ours', 'other']) {
    await knex('teams').insert({ id: team, name: team });
    await knex('chatapp_services').insert({ id: `${team}-chat`, team_id: team, name: team });
    const number = { id: `${team}-number`, service_id: `${team}-chat`, phone: '+254700000000' };
    await knex('chatapp_numbers').insert({ ...number, connector: `${team}-meta` });
    for (const [name, language] of [
      ['greeting', 'en'],
      ['greeting', 'sw'],
      ['farewell', 'en'],
    ])
      await knex('chatapp_templates').insert({
        id: `${team}-${name}-${language}`,
        team_id: team,
        name,
        language,
        category: 'UTILITY',
        parameter_format: 'NAMED',
        components: JSON.stringify({ body: { text: 'Habari' }, buttons: [] }),
        approval_status: 'PENDING',
      });
  }
});
afterAll(() => database.close());

test('by name and language, for the teams of the connector only; later news count', async () => {
  const greeting = { name: 'greeting', language: 'en' };
  await recordApprovals(database.knex, 'ours-meta', [
    { ...greeting, approvalStatus: 'REJECTED', comment: 'ABUSIVE_CONTENT' },
    { name: 'unknown', language: 'en', approvalStatus: 'APPROVED' },
  ]);
  const moved = () => database.knex('chatapp_templates').whereNot({ approval_status: 'PENDING' });
  expect(await moved()).toMatchObject([
    { id: 'ours-greeting-en', approval_status: 'REJECTED', review_comment: 'ABUSIVE_CONTENT' },
  ]);
  await recordApprovals(database.knex, 'ours-meta', [{ ...greeting, approvalStatus: 'APPROVED' }]);
  expect(await moved()).toMatchObject([
    { id: 'ours-greeting-en', approval_status: 'APPROVED', review_comment: null },
  ]);
});
