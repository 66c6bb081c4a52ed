/** Manages SMS templates: created and edited by their teams, approved by reviewers. */
import type { Category } from '../../model/plan.ts';
import { changeable, fixed, kept, type Row } from '../../platform/db/rows.ts';
import { faults, ManagementError } from '../../platform/errors/management.ts';
import { approvalOf } from '../../products/templates/approval.ts';
import { faultsOfDefinition } from '../../products/templates/definition.ts';
import type { ApprovalStatus, ParamDefinition, TemplateStatus } from '../../products/templates/template.ts';
import type { Management } from '../management.ts';
import { resource } from '../resource.ts';
import { templateSenderFaults } from './senders.ts';

export const smsTemplates = resource({
  noun: 'template',
  table: 'sms_templates',
  key: 'id',
  owner: 'teamId',
  properties: {
    id: fixed<string>(),
    teamId: fixed<string>(),
    content: changeable<string>(),
    description: changeable<string | null>({ initially: null }),
    category: changeable<Category>(),
    status: changeable<TemplateStatus>({ initially: 'Active' }),
    approvalStatus: kept<ApprovalStatus>(),
    /** Null: the sender of the service sends it. */
    managedServiceKey: changeable<string | null>({ initially: null }),
    /** What the reviewer said. */
    reviewComment: kept<string | null>(),
    /** What was approved last, by a trigger of the database. */
    approvedContent: kept<string | null>(),
    approvedAt: kept<Date | null>(),
    paramDefinitions: changeable<readonly ParamDefinition[]>({ initially: [] }),
    /** What regulators want to know of the text, by name. */
    registrations: changeable<Readonly<Record<string, string>>>({ initially: {} }),
    createdAt: kept<Date>(),
    updatedAt: kept<Date>({ onChange: 'service_now()' }),
  },
  settle: (after, { before }) => {
    const approvalStatus = approvalOf(after, before);
    // A comment is about what was reviewed.
    const outdated = before !== undefined && approvalStatus !== before.approvalStatus;
    return { approvalStatus, ...(outdated ? { reviewComment: null } : {}) };
  },
  check: async (after, { trx, before }) => {
    const { category, managedServiceKey: key } = after;
    const moved = key !== before?.managedServiceKey || category !== before?.category;
    return [
      ...faultsOfDefinition(after).map(faults.templateDefinition),
      ...(key !== null && moved ? await templateSenderFaults(trx, key, category) : []),
    ];
  },
});

export type StoredSmsTemplate = Row<(typeof smsTemplates)['properties']>;

/** A reviewer's decision on a template that waits for one. */
export async function reviewSmsTemplate(
  management: Management,
  id: string,
  { decision, comment }: { decision: 'APPROVED' | 'REJECTED'; comment?: string | undefined },
  version?: string,
): Promise<StoredSmsTemplate> {
  const action = decision === 'APPROVED' ? 'approve' : 'reject';
  return smsTemplates.update(management, id, { action, version }, ({ approvalStatus }) => {
    if (approvalStatus !== 'PENDING') throw new ManagementError([faults.notPending('template', id)]);
    return { approvalStatus: decision, reviewComment: comment ?? null };
  });
}
