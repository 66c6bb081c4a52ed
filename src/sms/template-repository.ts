/** Stores SMS templates: created by their owners, approved by reviewers. */
import type { Knex } from 'knex';
import { byTeam, type Part } from '../db/by-team.ts';
import { insertNew } from '../db/insert.ts';
import { updateRow } from '../db/update-row.ts';
import type {
  ApprovalStatus,
  ManagedService,
  ParamDefinition,
  SmsTemplate,
  TemplateCategory,
  TemplateStatus,
} from '../templates/template.ts';

/** A template with what operators should know about it. */
export interface StoredTemplate extends SmsTemplate {
  teamId: string;
  description: string | null;
  /** What the reviewer said. */
  reviewComment: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export type NewTemplate = Omit<StoredTemplate, 'reviewComment' | 'createdAt' | 'updatedAt'>;

/** False when the id is taken. */
export async function insertTemplate(knex: Knex, template: NewTemplate): Promise<boolean> {
  return insertNew(knex, 'sms_templates', {
    id: template.id,
    team_id: template.teamId,
    ...columnsOf(template),
  });
}

export interface TemplateFilter extends Part {
  approvalStatus?: ApprovalStatus | undefined;
}

/** Of one team, or of all. */
export async function listTemplates(
  knex: Knex,
  { approvalStatus, ...part }: TemplateFilter,
): Promise<StoredTemplate[]> {
  const rows: TemplateRow[] = await knex('sms_templates')
    .modify(byTeam, part)
    .modify((query) => {
      if (approvalStatus !== undefined) query.where({ approval_status: approvalStatus });
    });
  return rows.map(templateOf);
}

export async function findTemplate(knex: Knex, id: string): Promise<StoredTemplate | undefined> {
  const row: TemplateRow | undefined = await knex('sms_templates').where({ id }).first();
  return row && templateOf(row);
}

/** Queued messages keep their text: it was resolved on acceptance. */
export async function updateTemplate(
  knex: Knex,
  template: Omit<NewTemplate, 'teamId'> & Pick<StoredTemplate, 'reviewComment'>,
): Promise<void> {
  await knex('sms_templates')
    .where({ id: template.id })
    .update({
      ...columnsOf(template),
      review_comment: template.reviewComment,
      updated_at: knex.raw('service_now()'),
    });
}

interface TemplateRow {
  id: string;
  team_id: string;
  content: string;
  description: string | null;
  category: TemplateCategory;
  status: TemplateStatus;
  approval_status: ApprovalStatus;
  managed_service_key: string | null;
  review_comment: string | null;
  param_definitions: ParamDefinition[];
  created_at: Date;
  updated_at: Date;
}

function templateOf(row: TemplateRow): StoredTemplate {
  return {
    id: row.id,
    teamId: row.team_id,
    content: row.content,
    description: row.description,
    category: row.category,
    status: row.status,
    approvalStatus: row.approval_status,
    ...(row.managed_service_key === null ? {} : { managedServiceKey: row.managed_service_key }),
    reviewComment: row.review_comment,
    paramDefinitions: row.param_definitions,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** What of a template may change. */
function columnsOf(template: Omit<NewTemplate, 'teamId'>) {
  return {
    content: template.content,
    description: template.description,
    category: template.category,
    status: template.status,
    approval_status: template.approvalStatus,
    managed_service_key: template.managedServiceKey ?? null,
    param_definitions: JSON.stringify(template.paramDefinitions),
  };
}

/** False when the key is taken. */
export async function insertManagedService(knex: Knex, service: ManagedService): Promise<boolean> {
  const { key, name, category, sender } = service;
  return insertNew(knex, 'managed_services', { key, name, category, sender }, 'key');
}

export type ManagedServiceChange = {
  [Name in 'name' | 'category' | 'sender']: ManagedService[Name] | undefined;
};

/** What is undefined stays. */
export async function updateManagedService(
  knex: Knex,
  key: string,
  { name, category, sender }: ManagedServiceChange,
): Promise<void> {
  await updateRow(knex, 'managed_services', { key }, { name, category, sender });
}

export async function listManagedServices(
  knex: Knex,
  { after, limit }: Pick<Part, 'after' | 'limit'>,
): Promise<ManagedService[]> {
  return knex('managed_services')
    .modify((query) => {
      if (after !== undefined) query.where('key', '>', after);
      if (limit !== undefined) query.limit(limit);
    })
    .orderBy('key')
    .select('key', 'name', 'category', 'sender');
}

export async function findManagedService(knex: Knex, key: string): Promise<ManagedService | undefined> {
  return knex('managed_services').where({ key }).first('key', 'name', 'category', 'sender');
}
