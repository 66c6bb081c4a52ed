/** Decides whether a template can be sent, before its parameters are checked. */
import { errors } from '../../platform/errors.ts';
import type { ManagedService, SmsTemplate } from './template.ts';

/**
 * Passes for an active, approved template whose managed service, if it names one, exists and has its category;
 * throws the Rejection of the first rule that fails. `managed` is what is stored under the template's key.
 */
export function requireSendable(template: SmsTemplate, managed: ManagedService | undefined): void {
  const { category, managedServiceKey } = template;
  requireApproved(template);
  if (managedServiceKey === undefined) return;
  if (managed === undefined) throw errors.managedServiceUnknown(managedServiceKey);
  if (managed.category !== category) throw errors.categoryMismatch(category, managed.category);
}

/** Passes for an active, approved template, whatever product it is of; throws a Rejection otherwise. */
export function requireApproved(template: { id: string; status: string; approvalStatus: string }): void {
  const { id, status, approvalStatus } = template;
  if (status !== 'Active' || approvalStatus !== 'APPROVED')
    throw errors.templateNotSendable(id, status, approvalStatus);
}
