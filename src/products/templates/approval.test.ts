/** When an SMS template has to be approved, as a table. */
import { expect } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { approvalOf } from './approval.ts';

const own = {
  content: 'Code {{1}}',
  category: 'UTILITY',
  managedServiceKey: null,
  approvalStatus: 'APPROVED',
} as const;
const managed = { ...own, managedServiceKey: 'verify' } as const;
const rejected = { ...managed, approvalStatus: 'REJECTED' } as const;
type Template = NonNullable<Parameters<typeof approvalOf>[1]>;

testEvery<[string, Template | undefined, Partial<Template>, string]>([
  ['a new template', undefined, own, 'APPROVED'],
  ['a new one with a managed sender', undefined, managed, 'PENDING'],
  ['content of a managed template', managed, { content: 'PIN {{1}}' }, 'PENDING'],
  ['category of a managed template', managed, { category: 'MARKETING' }, 'PENDING'],
  ['a first managed sender', own, { managedServiceKey: 'verify' }, 'PENDING'],
  ['no managed sender any more', rejected, { managedServiceKey: null }, 'APPROVED'],
  ['content of a template without a managed sender', own, { content: 'PIN {{1}}' }, 'APPROVED'],
  ['the same content, category and sender', managed, { ...managed }, 'APPROVED'],
  ['nothing of a rejected one', rejected, {}, 'REJECTED'],
])('%s', (_rule, before, change, approval) => {
  expect(approvalOf({ ...own, ...before, ...change }, before)).toBe(approval);
});
