/** Decides whether a new or changed SMS template needs approval. */
import type { ApprovalStatus, SmsTemplate } from './template.ts';

/** What reviewers see of a template. */
const reviewed = ['content', 'category', 'managedServiceKey'] as const;

type Reviewed = Pick<SmsTemplate, 'content' | 'category'> & { managedServiceKey: string | null };

/** Templates without a managed sender need none. `before`: undefined for a new one. */
export function approvalOf(
  after: Reviewed,
  before: (Reviewed & Pick<SmsTemplate, 'approvalStatus'>) | undefined,
): ApprovalStatus {
  if (after.managedServiceKey === null) return 'APPROVED';
  const seen = before !== undefined && reviewed.every((name) => before[name] === after[name]);
  return seen ? before.approvalStatus : 'PENDING';
}
