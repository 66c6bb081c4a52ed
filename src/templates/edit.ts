/** Applies an edit to an SMS template, and decides whether a template needs approval. */
import type { ApprovalStatus, SmsTemplate } from './template.ts';

/** What is undefined stays. */
export type TemplateEdit = {
  [Name in 'content' | 'category' | 'status' | 'paramDefinitions']: SmsTemplate[Name] | undefined;
} & {
  /** Null: no managed sender any more. */
  managedServiceKey: string | null | undefined;
};

/** The approval state of a new template. */
export function firstApproval({ managedServiceKey }: Pick<SmsTemplate, 'managedServiceKey'>): ApprovalStatus {
  return managedServiceKey === undefined ? 'APPROVED' : 'PENDING';
}

export function editedTemplate<Template extends SmsTemplate>(
  before: Template,
  edit: TemplateEdit,
): Omit<Template, 'managedServiceKey'> & SmsTemplate {
  const { managedServiceKey: keyBefore, ...rest } = before;
  const key = edit.managedServiceKey === undefined ? keyBefore : (edit.managedServiceKey ?? undefined);
  const after = {
    ...rest,
    content: edit.content ?? before.content,
    category: edit.category ?? before.category,
    status: edit.status ?? before.status,
    paramDefinitions: edit.paramDefinitions ?? before.paramDefinitions,
    ...(key === undefined ? {} : { managedServiceKey: key }),
  };
  return { ...after, approvalStatus: approvalOf(before, after) };
}

/** Whoever reviews a managed template saw this content, category and sender; others need no approval. */
function approvalOf(before: SmsTemplate, after: SmsTemplate): ApprovalStatus {
  if (after.managedServiceKey === undefined) return 'APPROVED';
  const seen = (['content', 'category', 'managedServiceKey'] as const).every(
    (name) => before[name] === after[name],
  );
  return seen ? before.approvalStatus : 'PENDING';
}
