/** Reads the facts of one chat-app request in one query, and the connectors of sender numbers. */
import type { Knex } from 'knex';
import { isAddress } from '../../model/address.ts';
import type { AnsweredMessage, ChatAppService, ChatAppTeamFacts, SenderNumber } from './facts.ts';
import type { ChatAppTemplate } from './templates/template.ts';

interface TemplateRow {
  id: string;
  name: string;
  language: string;
  category: ChatAppTemplate['category'];
  parameter_format: ChatAppTemplate['parameterFormat'];
  status: ChatAppTemplate['status'];
  approval_status: ChatAppTemplate['approvalStatus'];
  components: Pick<
    ChatAppTemplate,
    'header' | 'body' | 'footer' | 'buttons' | 'limitedTimeOffer' | 'carousel'
  >;
}

interface FactsRow {
  service: ChatAppService | null;
  number: SenderNumber | null;
  template: TemplateRow | null;
  accounts: Record<string, string> | null;
}

/** Only what belongs to the team is found: another team's id reads as unknown. */
export async function loadChatAppFacts(
  knex: Knex,
  teamId: string,
  serviceId: string,
  phoneNumberId: string,
  templateId: string | undefined,
): Promise<ChatAppTeamFacts> {
  const { rows } = await knex.raw<{ rows: FactsRow[] }>(
    `select
       case when s.id is not null then
         json_build_object('id', s.id, 'status', s.status, 'quietHours', s.quiet_hours) end as service,
       row_to_json(n) as number, row_to_json(t) as template,
       (select json_object_agg(a.variant, a.id::text) from accounts a
        where a.team_id = :teamId and a.product = 'chatapp') as accounts
     from (select 1) as one
       left join chatapp_services s on s.id = :serviceId and s.team_id = :teamId
       left join chatapp_numbers n on n.id = :phoneNumberId and n.service_id = s.id
       left join chatapp_templates t on t.id = :templateId and t.team_id = :teamId`,
    { teamId, serviceId, phoneNumberId, templateId: templateId ?? null },
  );
  const row = rows[0];
  return {
    service: row?.service ?? undefined,
    number: row?.number ?? undefined,
    template: row?.template ? templateOf(row.template) : undefined,
    accounts: row?.accounts ?? {},
  };
}

function templateOf(row: TemplateRow): ChatAppTemplate {
  return {
    ...row.components,
    id: row.id,
    name: row.name,
    language: row.language,
    category: row.category,
    parameterFormat: row.parameter_format,
    status: row.status,
    approvalStatus: row.approval_status,
  };
}

/** The message that a reply answers, if it is the team's. */
export async function loadAnswered(
  knex: Knex,
  teamId: string,
  messageId: string,
): Promise<AnsweredMessage | undefined> {
  const { rows } = await knex.raw<{ rows: (Omit<AnsweredMessage, 'from'> & { from: string })[] }>(
    `select service_id as "serviceId", recipient as "to", phone as "from", received_at as "receivedAt"
     from inbound_messages where id = ? and team_id = ? and product = 'chatapp'`,
    [messageId, teamId],
  );
  const [row] = rows;
  return row && { ...row, from: isAddress(row.from) ? row.from : undefined };
}

/** The name of each sender number's connector, by the number's id. */
export async function loadNumberConnectors(knex: Knex): Promise<Map<string, string>> {
  const rows: { id: string; connector: string }[] = await knex('chatapp_numbers').select('id', 'connector');
  return new Map(rows.map(({ id, connector }) => [id, connector]));
}
