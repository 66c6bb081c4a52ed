/** SMS templates as operators edit them: what changes, what stays, and what has to be approved again. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { clearTables } from '../../platform/db/testing.ts';
import { useCommandLine } from '../line/testing.ts';

const { database, tarishi } = useCommandLine();
beforeEach(async () => {
  await clearTables(database.knex, 'teams, sms_templates, senders');
  await tarishi('team add acme');
  await tarishi('sender add verify --category UTILITY --as VERIFY');
  await tarishi('sender add ads --category MARKETING --as ADS');
  await tarishi(
    'template add own --team acme --category UTILITY --content Code:{{code}} --param code:Numeric:6',
  );
  await tarishi('template add managed --team acme --category UTILITY --content Code:{{1}} --sender verify');
  await tarishi('template approve managed --comment fine');
});

const set = (words: string) => tarishi(`template set ${words}`);
const stored = (id: string) => database.knex('sms_templates').where({ id }).first();

describe('template set', () => {
  test('changes only the given fields', async () => {
    expect(await set('own --content PIN:{{code}} --description Pins')).toMatchObject({
      content: 'PIN:{{code}}',
      category: 'UTILITY',
      approvalStatus: 'APPROVED',
      status: 'Active',
    });
    const { description, param_definitions, created_at, updated_at } = await stored('own');
    expect([description, param_definitions]).toEqual([
      'Pins',
      [{ name: 'code', format: 'Numeric', required: true, maxLength: 6 }],
    ]);
    expect(updated_at.getTime()).toBeGreaterThan(created_at.getTime());
  });

  test('replaces all rules of parameters, or drops them', async () => {
    await set('own --content {{a}}{{b}} --param a:Name --default b=x --optional b');
    expect((await stored('own')).param_definitions).toEqual([
      { name: 'a', format: 'Name', required: true },
      { name: 'b', format: 'PlainText', required: false, default: 'x' },
    ]);
    await set('own --no-params');
    expect((await stored('own')).param_definitions).toEqual([]);
  });

  test.each([
    ['content', '--content PIN:{{1}}'],
    ['category and sender', '--category MARKETING --sender ads'],
  ])('another %s of a managed template waits for approval, and the old comment goes', async (_what, edit) => {
    expect((await stored('managed')).review_comment).toBe('fine');
    expect(await set(`managed ${edit}`)).toMatchObject({ approvalStatus: 'PENDING' });
    expect((await stored('managed')).review_comment).toBeNull();
    expect(await tarishi('template approve managed')).toMatchObject({ approvalStatus: 'APPROVED' });
  });

  test('a sender is set and removed', async () => {
    expect(await set('own --sender verify')).toMatchObject({
      managedServiceKey: 'verify',
      approvalStatus: 'PENDING',
    });
    const without = await set('own --no-sender');
    expect(without).toMatchObject({ approvalStatus: 'APPROVED' });
    expect(without).not.toHaveProperty('managedServiceKey');
  });
});

describe('what was approved last', () => {
  test('stays beside what waits for a review, and is replaced once that is approved', async () => {
    const { approvedAt } = (await tarishi('template show managed')) as { approvedAt: string };
    expect(await set('managed --content PIN:{{1}}')).toMatchObject({
      approvalStatus: 'PENDING',
      content: 'PIN:{{1}}',
      approvedContent: 'Code:{{1}}',
      approvedAt,
    });
    await tarishi('template reject managed --comment no');
    expect(await set('managed --content Pin:{{1}}')).toMatchObject({ approvedContent: 'Code:{{1}}' });
    expect(await tarishi('template approve managed')).toMatchObject({ approvedContent: 'Pin:{{1}}' });
  });

  test('of a template that needs no review is its content', async () => {
    expect(await set('own --content PIN:{{code}}')).toMatchObject({ approvedContent: 'PIN:{{code}}' });
  });

  test('of a chat-app template are the components that its network approved', async () => {
    const body = (text: string) => JSON.stringify({ body: { text }, buttons: [] });
    const [template = {}] = await database
      .knex('chatapp_templates')
      .insert({
        id: 'chat',
        team_id: 'acme',
        name: 'chat',
        language: 'en',
        category: 'UTILITY',
        parameter_format: 'NAMED',
        components: body('Habari'),
        approval_status: 'PENDING',
      })
      .returning('approved_components');
    expect(template).toEqual({ approved_components: null });
    await tarishi('chat-template approve chat');
    await database
      .knex('chatapp_templates')
      .update({ components: body('Hujambo'), approval_status: 'PENDING' });
    expect(await tarishi('chat-template show chat')).toMatchObject({
      components: { body: { text: 'Hujambo' } },
      approvedComponents: { body: { text: 'Habari' } },
      approvedAt: expect.any(String),
    });
  });
});

test('a preview is of the template, or of a text that is not saved', async () => {
  expect(await tarishi('template preview own --param code=4711')).toMatchObject({ text: 'Code:4711' });
  const unsaved = await tarishi('template preview own --content Code:{{code}}’s --param code=4711');
  expect(unsaved).toMatchObject({ text: 'Code:4711’s', encoding: 'UCS-2', outsideGsm7: ['’'] });
  expect(await tarishi('template preview own --content {{code --param code=1')).toMatch(/braces/);
  expect(await stored('own')).toMatchObject({ content: 'Code:{{code}}' });
});
