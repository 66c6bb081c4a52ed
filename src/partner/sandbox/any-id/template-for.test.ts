/** A template that is made for the parameters of a request accepts them, whatever their kind. */
import { expect, test } from '@jest/globals';
import { chatAppTemplates, otherChatAppTemplates } from '../../../demo/chatapp-templates.ts';
import { testEvery } from '../../../platform/for-every-testing.ts';
import { checkParameters } from '../../../products/chatapp/templates/parameters.ts';
import { templateFor } from './template-for.ts';

const nowMs = Date.UTC(2026, 10, 21);
const entries = [...Object.values(chatAppTemplates), ...otherChatAppTemplates];

test('the demo has parameters of every kind', () => {
  const kinds = new Set(entries.flatMap(({ params }) => params.map(({ type }) => type)));
  expect(kinds.size).toBe(14);
});

testEvery(entries.map(({ template, params }) => [template.id, params] as const))(
  'those of %s',
  (_id, params) => {
    const made = templateFor('any', params);
    const template = {
      ...made,
      id: 'any',
      name: 'any',
      language: 'en',
      status: 'Active',
      approvalStatus: 'APPROVED',
    };
    expect(checkParameters(template as never, params, nowMs)).toHaveProperty('filling');
  },
);

test('without parameters it is a text', () => {
  expect(templateFor('any', [])).toEqual({
    category: 'UTILITY',
    parameterFormat: 'NAMED',
    body: { text: 'any' },
    buttons: [],
  });
});
