/** Stores SMS templates: created by their owners, approved by reviewers. */
import type { Knex } from 'knex';
import { byTeam } from '../db/by-team.ts';
import { insertNew } from '../db/insert.ts';
import type {
  ApprovalStatus,
  ManagedService,
  SmsTemplate,
  TemplateCategory,
  TemplateStatus,
} from '../templates/template.ts';

export interface TemplateSummary {
  id: string;
  teamId: string;
  category: TemplateCategory;
  status: TemplateStatus;
  approvalStatus: ApprovalStatus;
  managedServiceKey: string | null;
  content: string;
}

/** A template with what people should know about it. */
export type DescribedTemplate = SmsTemplate & { description: string | null };

/** False when the id is taken. */
export async function insertTemplate(
  knex: Knex,
  template: DescribedTemplate & { teamId: string },
): Promise<boolean> {
  return insertNew(knex, 'sms_templates', {
    id: template.id,
    team_id: template.teamId,
    ...columnsOf(template),
  });
}

/** Of one team, or of all. */
export async function listTemplates(knex: Knex, teamId: string | undefined): Promise<TemplateSummary[]> {
  return summaries(knex).modify(byTeam, teamId);
}

export async function findTemplate(knex: Knex, id: string): Promise<TemplateSummary | undefined> {
  return summaries(knex).where({ id }).first();
}

/**
 * Puts what `change` makes of a template in its place, with the row locked; undefined when there is none. What is
 * queued keeps its text: it was resolved when it was accepted.
 */
export async function editTemplate(
  knex: Knex,
  id: string,
  change: (template: DescribedTemplate, trx: Knex) => Promise<DescribedTemplate>,
): Promise<DescribedTemplate | undefined> {
  return knex.transaction(async (trx) => {
    const row = await trx('sms_templates').where({ id }).forUpdate().first();
    if (row === undefined) return undefined;
    const before: DescribedTemplate = {
      id,
      content: row.content,
      description: row.description,
      category: row.category,
      status: row.status,
      approvalStatus: row.approval_status,
      paramDefinitions: row.param_definitions,
      ...(row.managed_service_key === null ? {} : { managedServiceKey: row.managed_service_key }),
    };
    const after = await change(before, trx);
    await trx('sms_templates')
      .where({ id })
      .update({
        ...columnsOf(after),
        // A comment is about what was reviewed.
        ...(after.approvalStatus === before.approvalStatus ? {} : { review_comment: null }),
        updated_at: trx.raw('service_now()'),
      });
    return after;
  });
}

/** What of a template may change. */
function columnsOf(template: DescribedTemplate) {
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

/** A reviewer's verdict on a template that waits for one; false when it does not. */
export async function judgeTemplate(
  knex: Knex,
  id: string,
  verdict: 'APPROVED' | 'REJECTED',
  comment: string | undefined,
): Promise<boolean> {
  const judged = await knex('sms_templates')
    .where({ id, approval_status: 'PENDING' })
    .update({
      approval_status: verdict,
      review_comment: comment ?? null,
      updated_at: knex.raw('service_now()'),
    });
  return judged > 0;
}

/** False when there is no such template. */
export async function setTemplateStatus(knex: Knex, id: string, status: TemplateStatus): Promise<boolean> {
  return (
    (await knex('sms_templates')
      .where({ id })
      .update({ status, updated_at: knex.raw('service_now()') })) > 0
  );
}

/** False when the key is taken. */
export async function insertManagedService(knex: Knex, service: ManagedService): Promise<boolean> {
  const { key, name, category, sender } = service;
  return insertNew(knex, 'managed_services', { key, name, category, sender }, 'key');
}

export type ManagedServiceChange = {
  [Name in 'name' | 'category' | 'sender']: ManagedService[Name] | undefined;
};

/** What is undefined stays. False when there is no such managed service. */
export async function updateManagedService(
  knex: Knex,
  key: string,
  change: ManagedServiceChange,
): Promise<boolean> {
  return (await knex('managed_services').where({ key }).update(change)) > 0;
}

export async function listManagedServices(knex: Knex): Promise<ManagedService[]> {
  return knex('managed_services').orderBy('key').select('key', 'name', 'category', 'sender');
}

export async function findManagedService(knex: Knex, key: string): Promise<ManagedService | undefined> {
  return knex('managed_services').where({ key }).first('key', 'name', 'category', 'sender');
}

function summaries(knex: Knex) {
  return knex('sms_templates').select(
    'id',
    'team_id as teamId',
    'category',
    'status',
    'approval_status as approvalStatus',
    'managed_service_key as managedServiceKey',
    'content',
  );
}
