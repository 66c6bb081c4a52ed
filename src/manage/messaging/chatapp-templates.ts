/** Manages chat-app templates, which must match those approved at the network. */
import {
  type Definition,
  faultsOfDefinition,
  parameterFormatOf,
} from '../../chatapp/templates/definition.ts';
import type { ChatAppApprovalStatus } from '../../chatapp/templates/template.ts';
import {
  findTemplate,
  insertTemplate,
  listTemplates,
  type StoredTemplate,
  setApproval,
  setTemplateStatus,
  updateTemplate,
} from '../../chatapp/templates/template-repository.ts';
import { type Fault, faults, ManagementError, requireNone } from '../../errors/management.ts';
import { type TemplateStatus, templateCategories } from '../../templates/template.ts';
import type { Management, TeamPage } from '../management.ts';
import { changeResource, createResource, getResource, listedTeam, type ResourceKind } from '../resource.ts';
import { choiceFaults, rules, templateStatuses, textFaults } from '../rules.ts';

const kind: ResourceKind<StoredTemplate> = {
  noun: 'chat-app template',
  table: 'chatapp_templates',
  key: 'id',
  find: findTemplate,
  teamOf: ({ teamId }) => teamId,
  view: (template) => template,
};

/** What callers and the audit log see. */
export const templateView = kind.view;

export interface NewChatAppTemplate extends Definition {
  id: string;
  teamId: string;
  language: string;
  /** At the network; the id in lowercase with _ instead of - if omitted. */
  name?: string | undefined;
}

/** The network or an operator must approve it. */
export async function createChatAppTemplate(
  management: Management,
  { id, teamId, language, name = id.toLowerCase().replaceAll('-', '_'), ...definition }: NewChatAppTemplate,
): Promise<StoredTemplate> {
  return createResource(management, kind, {
    id,
    team: teamId,
    faults: [...labelFaults({ name, language }), ...definitionFaults(definition)],
    insert: (trx) =>
      insertTemplate(trx, {
        ...definition,
        id,
        teamId,
        name,
        language,
        parameterFormat: parameterFormatOf(definition),
        status: 'Active',
        approvalStatus: 'PENDING',
      }),
  });
}

export async function getChatAppTemplate(management: Management, id: string): Promise<StoredTemplate> {
  return getResource(management, kind, id);
}

export interface ChatAppTemplateEdit {
  name?: string | undefined;
  language?: string | undefined;
  category?: Definition['category'] | undefined;
  /** All components; those that it lacks go. */
  components?: Omit<Definition, 'category'> | undefined;
}

/** It needs approval again. */
export async function changeChatAppTemplate(
  management: Management,
  id: string,
  { name, language, category, components }: ChatAppTemplateEdit,
  version?: string,
): Promise<StoredTemplate> {
  return changeResource(management, kind, id, { action: 'change', version }, async (before, trx) => {
    const definition: Definition = {
      ...(components ?? componentsOf(before)),
      category: category ?? before.category,
    };
    requireNone([...labelFaults({ name, language }), ...definitionFaults(definition)]);
    const parameterFormat = parameterFormatOf(definition);
    await updateTemplate(trx, id, { ...definition, parameterFormat, name, language });
  });
}

/** Marks it as approved, rejected or paused by its network. */
export async function reviewChatAppTemplate(
  management: Management,
  id: string,
  { decision, comment }: { decision: ChatAppApprovalStatus; comment?: string | undefined },
  version?: string,
): Promise<StoredTemplate> {
  requireNone(textFaults('comment', comment, rules.comment));
  const action = actions[decision];
  return changeResource(management, kind, id, { action, version }, async (before, trx) => {
    if (before.approvalStatus === decision)
      throw new ManagementError([faults.approvalAlready(kind.noun, id, decision)]);
    await setApproval(trx, id, decision, comment);
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
): Promise<StoredTemplate> {
  requireNone(choiceFaults('status', status, templateStatuses));
  const action = status === 'Archived' ? 'archive' : 'restore';
  return changeResource(management, kind, id, { action, version }, (_before, trx) =>
    setTemplateStatus(trx, id, status),
  );
}

export async function listChatAppTemplates(
  management: Management,
  { team, approvalStatus, ...page }: TeamPage & { approvalStatus?: ChatAppApprovalStatus | undefined } = {},
): Promise<StoredTemplate[]> {
  const teamId = await listedTeam(management, team);
  return listTemplates(management.knex, { teamId, approvalStatus, ...page });
}

function componentsOf({ header, body, footer, buttons, limitedTimeOffer, carousel }: StoredTemplate) {
  return { body, buttons, ...given({ header, footer, limitedTimeOffer, carousel }) };
}

/** Only what is not undefined. */
function given<T extends object>(all: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as never;
}

function labelFaults({ name, language }: { [Name in 'name' | 'language']: string | undefined }): Fault[] {
  return [
    ...textFaults('name', name, rules.networkTemplateName),
    ...textFaults('language', language, rules.language),
  ];
}

function definitionFaults(definition: Definition): Fault[] {
  return [
    ...choiceFaults('category', definition.category, templateCategories),
    ...faultsOfDefinition(definition).map(faults.templateDefinition),
  ];
}
