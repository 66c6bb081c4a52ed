/** Which templates may be sent, and the sentences that reject the others. */

import { describe, expect } from '@jest/globals';
import type { Category } from '../../model/plan.ts';
import { Rejection } from '../../platform/errors.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { requireSendable } from './sendable.ts';
import type { ManagedService, SmsTemplate } from './template.ts';

const template = (differences: Partial<SmsTemplate> = {}): SmsTemplate => ({
  id: 'otp',
  content: 'Code {{code}}',
  category: 'AUTHENTICATION',
  status: 'Active',
  approvalStatus: 'APPROVED',
  paramDefinitions: [],
  registrations: {},
  ...differences,
});
const managed = (category: Category): ManagedService => ({
  key: 'bank',
  category,
  sender: 'BANK',
  uses: [],
});

describe('sendable', () => {
  testEvery<[string, SmsTemplate, ManagedService | undefined]>([
    ['active and approved', template(), undefined],
    ['a managed service of another category, which it does not use', template(), managed('MARKETING')],
    [
      'with a managed service of its category',
      template({ managedServiceKey: 'bank' }),
      managed('AUTHENTICATION'),
    ],
  ])('%s', (_rule, candidate, service) => {
    expect(requireSendable(candidate, service)).toBeUndefined();
  });
});

const notSendable = (status: string, approval: string) =>
  `Message template otp is not sendable. Current status: ${status} and approval status: ${approval}`;

describe('refused', () => {
  testEvery<[string, Partial<SmsTemplate>, ManagedService | undefined, string]>([
    ['archived', { status: 'Archived' }, undefined, notSendable('Archived', 'APPROVED')],
    ['waiting for approval', { approvalStatus: 'PENDING' }, undefined, notSendable('Active', 'PENDING')],
    ['rejected', { approvalStatus: 'REJECTED' }, undefined, notSendable('Active', 'REJECTED')],
    [
      'archived and rejected',
      { status: 'Archived', approvalStatus: 'REJECTED' },
      undefined,
      notSendable('Archived', 'REJECTED'),
    ],
    [
      'a managed service that does not exist',
      { managedServiceKey: 'bank' },
      undefined,
      'Managed service descriptor not found for key: bank',
    ],
    [
      'a managed service of another category',
      { managedServiceKey: 'bank' },
      managed('MARKETING'),
      'Template category AUTHENTICATION does not match managed service descriptor category MARKETING',
    ],
    [
      'its status comes before an unknown managed service',
      { approvalStatus: 'PENDING', managedServiceKey: 'bank' },
      undefined,
      notSendable('Active', 'PENDING'),
    ],
    [
      'its status comes before a category that does not match',
      { status: 'Archived', managedServiceKey: 'bank' },
      managed('UTILITY'),
      notSendable('Archived', 'APPROVED'),
    ],
  ])('%s', (_rule, differences, service, desc) => {
    const refusal = () => requireSendable(template(differences), service);
    expect(refusal).toThrow(Rejection);
    expect(refusal).toThrow(expect.objectContaining({ status: 400, desc }));
  });
});
