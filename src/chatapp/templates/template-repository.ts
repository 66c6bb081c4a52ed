/** Stores chat-app templates: written by operators, approved by their network. */
import type { Knex } from 'knex';
import { byTeam, type Part } from '../../db/by-team.ts';
import { insertNew } from '../../db/insert.ts';
import type { Definition } from './definition.ts';
import type { ChatAppApprovalStatus, ChatAppTemplate } from './template.ts';

/** A template with what operators should know about it. */
export type StoredTemplate = ChatAppTemplate & {
  teamId: string;
  /** What the network or an operator said of it. */
  reviewComment: string | null;
  createdAt: Date;
  updatedAt: Date;
};

/** False when the id is taken. */
export async function insertTemplate(
  knex: Knex,
  { id, name, language, category, parameterFormat, ...template }: ChatAppTemplate & { teamId: string },
): Promise<boolean> {
  const { teamId, status, approvalStatus, ...components } = template;
  return insertNew(knex, 'chatapp_templates', {
    id,
    team_id: teamId,
    name,
    language,
    category,
    parameter_format: parameterFormat,
    status,
    approval_status: approvalStatus,
    components: JSON.stringify(components),
  });
}

export type TemplateChange = Definition &
  Pick<ChatAppTemplate, 'parameterFormat'> & { [Name in 'name' | 'language']: string | undefined };

/** What is undefined stays. What the network approved was another template: it waits again. */
export async function updateTemplate(
  knex: Knex,
  id: string,
  { name, language, category, parameterFormat, ...components }: TemplateChange,
): Promise<void> {
  await knex('chatapp_templates')
    .where({ id })
    .update({
      name,
      language,
      category,
      parameter_format: parameterFormat,
      components: JSON.stringify(components),
      approval_status: 'PENDING',
      review_comment: null,
      updated_at: knex.raw('service_now()'),
    });
}

export interface TemplateFilter extends Part {
  approvalStatus?: ChatAppApprovalStatus | undefined;
}

/** Of one team, or of all. */
export async function listTemplates(
  knex: Knex,
  { approvalStatus, ...part }: TemplateFilter,
): Promise<StoredTemplate[]> {
  const rows: TemplateRow[] = await knex('chatapp_templates')
    .modify(byTeam, part)
    .modify((query) => {
      if (approvalStatus !== undefined) query.where({ approval_status: approvalStatus });
    });
  return rows.map(templateOf);
}

export async function findTemplate(knex: Knex, id: string): Promise<StoredTemplate | undefined> {
  const row: TemplateRow | undefined = await knex('chatapp_templates').where({ id }).first();
  return row && templateOf(row);
}

/** As the network knows it; the oldest if operators added several. */
export async function findTemplateByName(
  knex: Knex,
  { teamId, name, language }: Pick<StoredTemplate, 'teamId' | 'name' | 'language'>,
): Promise<StoredTemplate | undefined> {
  const row: TemplateRow | undefined = await knex('chatapp_templates')
    .where({ team_id: teamId, name, language })
    .orderBy(['created_at', 'id'])
    .forUpdate()
    .first();
  return row && templateOf(row);
}

/** Decided now: older news from the network change nothing. */
export async function setApproval(
  knex: Knex,
  id: string,
  approvalStatus: ChatAppApprovalStatus,
  comment: string | undefined,
): Promise<void> {
  await knex('chatapp_templates')
    .where({ id })
    .update({
      approval_status: approvalStatus,
      review_comment: comment ?? null,
      approval_decided_at: knex.raw('service_now()'),
      updated_at: knex.raw('service_now()'),
    });
}

export async function setTemplateStatus(
  knex: Knex,
  id: string,
  status: ChatAppTemplate['status'],
): Promise<void> {
  await knex('chatapp_templates')
    .where({ id })
    .update({ status, updated_at: knex.raw('service_now()') });
}

interface TemplateRow {
  id: string;
  team_id: string;
  name: string;
  language: string;
  category: ChatAppTemplate['category'];
  parameter_format: ChatAppTemplate['parameterFormat'];
  components: Omit<Definition, 'category'>;
  status: ChatAppTemplate['status'];
  approval_status: ChatAppApprovalStatus;
  review_comment: string | null;
  created_at: Date;
  updated_at: Date;
}

function templateOf(row: TemplateRow): StoredTemplate {
  return {
    ...row.components,
    id: row.id,
    teamId: row.team_id,
    name: row.name,
    language: row.language,
    category: row.category,
    parameterFormat: row.parameter_format,
    status: row.status,
    approvalStatus: row.approval_status,
    reviewComment: row.review_comment,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
