/** Manages chat-app templates, which must match those approved at the network. */

import { isDeepStrictEqual } from 'node:util';
import type { Category } from '../../model/plan.ts';
import { changeable, fixed, kept, type Row } from '../../platform/db/rows.ts';
import { faults, ManagementError } from '../../platform/errors/management.ts';
import { setApproval } from '../../products/chatapp/templates/approval-repository.ts';
import {
  type Definition,
  faultsOfDefinition,
  parameterFormatOf,
} from '../../products/chatapp/templates/definition.ts';
import type { ChatAppApprovalStatus, ChatAppTemplate } from '../../products/chatapp/templates/template.ts';
import type { TemplateStatus } from '../../products/templates/template.ts';
import type { Management } from '../management.ts';
import { resource } from '../resource.ts';

export type Components = Omit<Definition, 'category'>;

/** What the network approves, by name and language. */
const reviewed = ['name', 'language', 'category', 'components'] as const;

export const chatAppTemplates = resource({
  noun: 'chat-app template',
  table: 'chatapp_templates',
  key: 'id',
  owner: 'teamId',
  properties: {
    id: fixed<string>(),
    teamId: fixed<string>(),
    /** At the network. */
    name: changeable<string>({ initially: (id) => id.toLowerCase().replaceAll('-', '_') }),
    language: changeable<string>(),
    category: changeable<Category>(),
    parameterFormat: kept<ChatAppTemplate['parameterFormat']>(),
    components: changeable<Components>(),
    status: kept<TemplateStatus>(),
    approvalStatus: kept<ChatAppApprovalStatus>(),
    /** What the network or an operator said of it. */
    reviewComment: kept<string | null>(),
    /** What was approved last, by a trigger of the database. */
    approvedComponents: kept<Components | null>(),
    approvedAt: kept<Date | null>(),
    createdAt: kept<Date>(),
    updatedAt: kept<Date>({ onChange: 'service_now()' }),
  },
  settle: (after, { before }) => ({
    parameterFormat: parameterFormatOf({ ...after.components, category: after.category }),
    ...(reviewed.every((name) => isDeepStrictEqual(after[name], before?.[name]))
      ? {}
      : ({ approvalStatus: 'PENDING', reviewComment: null } as const)),
  }),
  check: ({ category, components }) =>
    faultsOfDefinition({ ...components, category }).map(faults.templateDefinition),
});

export type StoredChatAppTemplate = Row<(typeof chatAppTemplates)['properties']>;

/** Marks it as approved, rejected or paused by its network. */
export async function reviewChatAppTemplate(
  management: Management,
  id: string,
  { decision, comment }: { decision: ChatAppApprovalStatus; comment?: string | undefined },
  version?: string,
): Promise<StoredChatAppTemplate> {
  const action = actions[decision];
  return chatAppTemplates.update(management, id, { action, version }, async ({ approvalStatus }, trx) => {
    if (approvalStatus === decision)
      throw new ManagementError([faults.approvalAlready(chatAppTemplates.noun, id, decision)]);
    await setApproval(trx, id, decision, comment);
    return {};
  });
}

const actions: { readonly [Status in ChatAppApprovalStatus]: string } = {
  PENDING: 'submit',
  APPROVED: 'approve',
  REJECTED: 'reject',
  PAUSED: 'pause',
  DISABLED: 'disable',
};

export async function setChatAppTemplateStatus(
  management: Management,
  id: string,
  status: TemplateStatus,
  version?: string,
): Promise<StoredChatAppTemplate> {
  const action = status === 'Archived' ? 'archive' : 'restore';
  return chatAppTemplates.update(management, id, { action, version }, () => ({ status }));
}

/** As the rules of messages see it. */
export function templateOf({ components, ...template }: StoredChatAppTemplate): ChatAppTemplate {
  return { ...components, ...template };
}
