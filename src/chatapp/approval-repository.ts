/** Moves the approval of templates as their network says. */
import type { Knex } from 'knex';
import type { ChatAppTemplate } from './template.ts';

/** What a network says of a template that it knows by name and language. */
export interface ApprovalNews {
  name: string;
  language: string;
  approvalStatus: ChatAppTemplate['approvalStatus'];
  comment?: string;
}

/** Of the templates of teams that send through this connector; of no others. */
export async function recordApprovals(
  knex: Knex,
  connector: string,
  news: readonly ApprovalNews[],
): Promise<void> {
  for (const { name, language, approvalStatus, comment = null } of news)
    await knex.raw(
      `update chatapp_templates
       set approval_status = :approvalStatus, review_comment = :comment, updated_at = now()
       where name = :name and language = :language and approval_status <> :approvalStatus
         and team_id in (
           select s.team_id from chatapp_numbers n join chatapp_services s on s.id = n.service_id
           where n.connector = :connector)`,
      { name, language, approvalStatus, comment, connector },
    );
}
