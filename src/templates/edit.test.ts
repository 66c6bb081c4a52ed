/** When an edited template has to be approved again, as a table. */
import { describe, expect, test } from '@jest/globals';
import { editedTemplate, type TemplateEdit } from './edit.ts';
import type { SmsTemplate } from './template.ts';

const nothing: TemplateEdit = {
  content: undefined,
  category: undefined,
  status: undefined,
  paramDefinitions: undefined,
  managedServiceKey: undefined,
};
const own: SmsTemplate = {
  id: 'code',
  content: 'Code {{1}}',
  category: 'UTILITY',
  status: 'Active',
  approvalStatus: 'APPROVED',
  paramDefinitions: [{ name: '1', format: 'Numeric', required: true }],
};
const managed: SmsTemplate = { ...own, managedServiceKey: 'verify' };
const rejected: SmsTemplate = { ...managed, approvalStatus: 'REJECTED' };

describe('approval after an edit', () => {
  test.each<[string, SmsTemplate, Partial<TemplateEdit>, string]>([
    ['content of a managed template', managed, { content: 'PIN {{1}}' }, 'PENDING'],
    ['category of a managed template', managed, { category: 'MARKETING' }, 'PENDING'],
    ['another managed sender', managed, { managedServiceKey: 'alerts' }, 'PENDING'],
    ['content of a rejected one', rejected, { content: 'PIN {{1}}' }, 'PENDING'],
    ['a first managed sender', own, { managedServiceKey: 'verify' }, 'PENDING'],
    ['no managed sender any more', rejected, { managedServiceKey: null }, 'APPROVED'],
    ['content of a template without a managed sender', own, { content: 'PIN {{1}}' }, 'APPROVED'],
    ['the same content, category and sender', managed, { ...managed, paramDefinitions: [] }, 'APPROVED'],
    ['parameters of a managed template', managed, { paramDefinitions: [] }, 'APPROVED'],
    ['status of a managed template', managed, { status: 'Archived' }, 'APPROVED'],
    ['status of a rejected one', rejected, { status: 'Archived' }, 'REJECTED'],
    ['nothing', rejected, {}, 'REJECTED'],
  ])('%s', (_rule, before, edit, approval) => {
    expect(editedTemplate(before, { ...nothing, ...edit }).approvalStatus).toBe(approval);
  });
});

test('other fields stay, and a removed sender is gone', () => {
  expect(editedTemplate(managed, nothing)).toEqual(managed);
  expect(editedTemplate(managed, { ...nothing, managedServiceKey: null })).toEqual(own);
  const edit = { ...nothing, status: 'Archived', content: 'PIN {{1}}' } as const;
  expect(editedTemplate(own, edit)).toEqual({ ...own, status: 'Archived', content: 'PIN {{1}}' });
});
