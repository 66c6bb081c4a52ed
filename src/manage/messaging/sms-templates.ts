/** Manages SMS templates: created and edited by their teams, approved by reviewers. */
import { type Fault, faults, ManagementError, requireNone } from '../../errors/management.ts';
import {
  findTemplate,
  insertTemplate,
  listTemplates,
  type StoredTemplate,
  updateTemplate,
} from '../../sms/template-repository.ts';
import { faultsOfDefinition } from '../../templates/definition.ts';
import { editedTemplate, firstApproval, type TemplateEdit } from '../../templates/edit.ts';
import {
  type ApprovalStatus,
  type ParamDefinition,
  type TemplateCategory,
  templateCategories,
} from '../../templates/template.ts';
import type { Management, TeamPage } from '../management.ts';
import { changeResource, createResource, getResource, listedTeam, type ResourceKind } from '../resource.ts';
import { choiceFaults, rules, templateStatuses, textFaults } from '../rules.ts';
import { managedSenderFaults } from './managed-senders.ts';

const kind: ResourceKind<StoredTemplate> = {
  noun: 'template',
  table: 'sms_templates',
  key: 'id',
  find: findTemplate,
  teamOf: ({ teamId }) => teamId,
  view: (template) => template,
};

export interface NewSmsTemplate {
  id: string;
  teamId: string;
  content: string;
  category: TemplateCategory;
  description?: string | null | undefined;
  managedServiceKey?: string | undefined;
  paramDefinitions?: readonly ParamDefinition[] | undefined;
}

/** Without a managed sender it is approved at once. */
export async function createSmsTemplate(
  management: Management,
  { id, teamId, content, category, description = null, managedServiceKey, ...rest }: NewSmsTemplate,
): Promise<StoredTemplate> {
  const { paramDefinitions = [] } = rest;
  const managed = managedServiceKey === undefined ? {} : { managedServiceKey };
  return createResource(management, kind, {
    id,
    team: teamId,
    faults: [
      ...definitionFaults({ content, paramDefinitions }),
      ...choiceFaults('category', category, templateCategories),
    ],
    check: async (trx) =>
      managedServiceKey === undefined ? [] : managedSenderFaults(trx, managedServiceKey, category),
    insert: (trx) =>
      insertTemplate(trx, {
        id,
        teamId,
        content,
        description,
        category,
        status: 'Active',
        approvalStatus: firstApproval(managed),
        ...managed,
        paramDefinitions,
      }),
  });
}

export async function getSmsTemplate(management: Management, id: string): Promise<StoredTemplate> {
  return getResource(management, kind, id);
}

/** What is omitted stays. `managedServiceKey` null: no managed sender any more. */
export type SmsTemplateEdit = Partial<TemplateEdit> & { description?: string | null | undefined };

/** With a managed sender it needs approval again when its content, category or sender changes. */
export async function changeSmsTemplate(
  management: Management,
  id: string,
  { description, ...edit }: SmsTemplateEdit,
  version?: string,
): Promise<StoredTemplate> {
  requireNone([
    ...choiceFaults('category', edit.category, templateCategories),
    ...choiceFaults('status', edit.status, templateStatuses),
  ]);
  return changeResource(management, kind, id, { action: 'change', version }, async (before, trx) => {
    const after = editedTemplate(before, { ...unchanged, ...edit });
    const { managedServiceKey: key, category } = after;
    const moved = key !== before.managedServiceKey || category !== before.category;
    requireNone([
      ...definitionFaults(after),
      ...(key !== undefined && moved ? await managedSenderFaults(trx, key, category) : []),
    ]);
    await updateTemplate(trx, {
      ...after,
      description: description === undefined ? before.description : description,
      // A comment is about what was reviewed.
      reviewComment: after.approvalStatus === before.approvalStatus ? before.reviewComment : null,
    });
  });
}

/** A reviewer's decision on a template that waits for one. */
export async function reviewSmsTemplate(
  management: Management,
  id: string,
  { decision, comment }: { decision: 'APPROVED' | 'REJECTED'; comment?: string | undefined },
  version?: string,
): Promise<StoredTemplate> {
  requireNone(textFaults('comment', comment, rules.comment));
  const action = decision === 'APPROVED' ? 'approve' : 'reject';
  return changeResource(management, kind, id, { action, version }, async (before, trx) => {
    if (before.approvalStatus !== 'PENDING') throw new ManagementError([faults.notPending(id)]);
    await updateTemplate(trx, { ...before, approvalStatus: decision, reviewComment: comment ?? null });
  });
}

export async function listSmsTemplates(
  management: Management,
  { team, approvalStatus, ...page }: TeamPage & { approvalStatus?: ApprovalStatus | undefined } = {},
): Promise<StoredTemplate[]> {
  const teamId = await listedTeam(management, team);
  return listTemplates(management.knex, { teamId, approvalStatus, ...page });
}

const unchanged: TemplateEdit = {
  content: undefined,
  category: undefined,
  status: undefined,
  paramDefinitions: undefined,
  managedServiceKey: undefined,
};

function definitionFaults(definition: Parameters<typeof faultsOfDefinition>[0]): Fault[] {
  return faultsOfDefinition(definition).map(faults.templateDefinition);
}
