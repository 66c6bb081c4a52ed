/** Import of chat-app templates from the account of a connector, and its effect on what is stored. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Stub, startStub } from '../../connectors/http/provider-testing.ts';
import { useCommandLine } from '../line/testing.ts';

let stub: Stub;
let data: object[] = [];
const { database, tarishi } = useCommandLine();

const template = (name: string, text: string, more: object = {}) => ({
  name,
  language: 'en',
  status: 'APPROVED',
  category: 'UTILITY',
  components: [{ type: 'BODY', text }],
  ...more,
});
const importFor = (team: string) => tarishi(`chat-template import wa --team ${team}`);
const listed = () => tarishi('chat-template list --team acme');

beforeAll(async () => {
  stub = await startStub(() => ({ status: 200, body: { data } }));
  for (const team of ['acme', 'duka']) await tarishi(`team add ${team}`);
  await tarishi(
    [
      'connector add wa --kind whatsapp --token-env TOKEN --set',
      `baseUrl=${stub.url}`,
      '--set businessAccountId=81',
    ].join(' '),
    { TOKEN: 'secret' },
  );
});
afterAll(() => stub.close());

test('new ones are added, changed ones follow the network, and a repeat changes nothing', async () => {
  data = [template('greeting', 'Habari {{name}}'), template('survey', '', { category: 'OTHER' })];
  const greeting = { id: 'greeting-en', name: 'greeting', language: 'en' };
  const survey = { name: 'survey', language: 'en', result: 'Skipped' };
  const skipped = { ...survey, reason: 'category OTHER is not supported' };
  expect(await importFor('acme')).toEqual([{ ...greeting, result: 'Imported' }, skipped]);
  expect(await listed()).toMatchObject([{ id: 'greeting-en', approvalStatus: 'APPROVED' }]);
  expect(await importFor('acme')).toEqual([{ ...greeting, result: 'Unchanged' }, skipped]);

  data = [template('greeting', 'Jambo {{name}}', { status: 'REJECTED', rejected_reason: 'ABUSIVE' })];
  expect(await importFor('acme')).toEqual([{ ...greeting, result: 'Changed' }]);
  expect(await listed()).toMatchObject([
    {
      components: { body: { text: 'Jambo {{name}}' } },
      approvalStatus: 'REJECTED',
      reviewComment: 'ABUSIVE',
    },
  ]);
  const entries = await database.knex('audit_log').where({ action: 'import' }).orderBy('id');
  expect(
    entries.map(({ before, after }) => [before?.components.body.text, after.components.body.text]),
  ).toEqual([
    [undefined, 'Habari {{name}}'],
    ['Habari {{name}}', 'Jambo {{name}}'],
  ]);
});

test('another team gets the same template under an id of its own', async () => {
  data = [template('shared', 'Habari')];
  await importFor('acme');
  expect(await importFor('duka')).toMatchObject([{ id: 'shared-en-duka', result: 'Imported' }]);
});

test('a template that an operator added is found by name and language', async () => {
  await database.knex('chatapp_templates').where({ id: 'shared-en' }).update({ id: 'mine' });
  expect(await importFor('acme')).toMatchObject([{ id: 'mine', result: 'Unchanged' }]);
});

test('a template that cannot be stored is skipped, and the others are imported', async () => {
  const footer = { type: 'FOOTER', text: 'Reply STOP\u0000' };
  data = [
    template('hostile', 'Habari', { components: [{ type: 'BODY', text: 'Habari' }, footer] }),
    template('noted', 'Habari', { status: 'REJECTED', rejected_reason: 'ABU\u0000SIVE' }),
    template('last', 'Habari'),
  ];
  expect(await importFor('acme')).toMatchObject([
    { name: 'hostile', result: 'Skipped', reason: 'it cannot be stored: database error 22P05' },
    { name: 'noted', result: 'Imported' },
    { name: 'last', result: 'Imported' },
  ]);
});

test.each([
  ['simulator --team acme', 'connector simulator has no templates: its kind is simulator'],
  ['nothing --team acme', 'connector nothing does not exist'],
  ['wa --team nobody', 'team nobody does not exist'],
])('refuses an import for %s', async (words, sentence) => {
  expect(await tarishi(`chat-template import ${words}`)).toBe(sentence);
});

test('a network that refuses says so, and nothing changes', async () => {
  stub.answer = () => ({ status: 401, body: { error: { message: 'Access token has expired' } } });
  expect(await importFor('acme')).toBe(
    'the templates of connector wa cannot be read: WhatsApp responded 401: Access token has expired',
  );
});
