/** Stores chat-app templates: written by operators, approved by their network. */
import type { Knex } from 'knex';
import { byTeam } from '../../db/by-team.ts';
import { insertNew } from '../../db/insert.ts';
import type { Definition } from './definition.ts';
import type { ChatAppApprovalStatus, ChatAppTemplate } from './template.ts';

export interface TemplateSummary
  extends Pick<ChatAppTemplate, 'id' | 'name' | 'language' | 'category' | 'status' | 'approvalStatus'> {
  teamId: string;
  /** What the network or an operator said of it. */
  comment: string | null;
  body: string;
}

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

/** What a template is made of, as it was written. */
export async function findDefinition(knex: Knex, id: string): Promise<Definition | undefined> {
  const row = await knex('chatapp_templates').where({ id }).first('category', 'components');
  return row && { ...row.components, category: row.category };
}

export type TemplateChange = Definition &
  Pick<ChatAppTemplate, 'parameterFormat'> & { [Name in 'name' | 'language']: string | undefined };

/** A name or language that is undefined stays. What the network approved was another template: it waits again. */
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

/** Of one team, or of all. */
export async function listTemplates(knex: Knex, teamId: string | undefined): Promise<TemplateSummary[]> {
  return summaries(knex).modify(byTeam, teamId);
}

export async function findTemplate(knex: Knex, id: string): Promise<TemplateSummary | undefined> {
  return summaries(knex).where({ id }).first();
}

/** False when there is no such template, or it is in that state already. */
export async function setApproval(
  knex: Knex,
  id: string,
  approvalStatus: ChatAppApprovalStatus,
  comment: string | undefined,
): Promise<boolean> {
  const moved = await knex('chatapp_templates')
    .where({ id })
    .whereNot({ approval_status: approvalStatus })
    .update({
      approval_status: approvalStatus,
      review_comment: comment ?? null,
      approval_decided_at: knex.raw('service_now()'),
      updated_at: knex.raw('service_now()'),
    });
  return moved > 0;
}

/** False when there is no such template. */
export async function setTemplateStatus(
  knex: Knex,
  id: string,
  status: ChatAppTemplate['status'],
): Promise<boolean> {
  return (
    (await knex('chatapp_templates')
      .where({ id })
      .update({ status, updated_at: knex.raw('service_now()') })) > 0
  );
}

function summaries(knex: Knex) {
  return knex('chatapp_templates').select(
    'id',
    'team_id as teamId',
    'name',
    'language',
    'category',
    'status',
    'approval_status as approvalStatus',
    'review_comment as comment',
    knex.raw(`components #>> '{body,text}' as body`),
  );
}
