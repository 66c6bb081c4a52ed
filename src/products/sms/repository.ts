/** Reads the facts of one SMS request in one query. */
import type { Knex } from 'knex';
import type { ManagedService, ParamDefinition, SmsTemplate } from '../templates/template.ts';
import type { SmsTeamFacts } from './facts.ts';
import type { SenderRules } from './sender-rules.ts';
import { grantOfService, type SmsService } from './service.ts';

interface TemplateRow {
  id: string;
  content: string;
  category: SmsTemplate['category'];
  status: SmsTemplate['status'];
  approval_status: SmsTemplate['approvalStatus'];
  managed_service_key: string | null;
  param_definitions: ParamDefinition[];
  registrations: SmsTemplate['registrations'];
}

interface FactsRow {
  service: SmsService | null;
  template: TemplateRow | null;
  managed_service: ManagedService | null;
  account_id: string | null;
}

/** Only what belongs to the team is found: another team's id reads as unknown. */
export async function loadSmsFacts(
  knex: Knex,
  teamId: string,
  serviceId: string,
  templateId: string | undefined,
): Promise<SmsTeamFacts> {
  const { rows } = await knex.raw<{ rows: FactsRow[] }>(
    `select
       (select json_build_object('id', s.id, 'sender', s.sender, 'grant', ${grantOfService}, 'status', s.status,
          'purpose', s.purpose, 'quietHours', s.quiet_hours, 'validitySeconds', s.validity_seconds)
        from services s where s.id = :serviceId and s.team_id = :teamId) as service,
       row_to_json(t) as template,
       case when m.id is not null then json_build_object('key', m.id, 'category', m.category, 'sender', m.sender,
         'uses', coalesce(m.approved_uses, m.uses)) end as managed_service,
       (select a.id from accounts a where a.team_id = :teamId and a.product = 'sms' and a.variant = '')
         as account_id
     from (select 1) as one
       left join sms_templates t on t.id = :templateId and t.team_id = :teamId
       left join senders m on m.id = t.managed_service_key and m.team_id is null`,
    { teamId, serviceId, templateId: templateId ?? null },
  );
  const row = rows[0];
  return {
    service: row?.service ?? undefined,
    template: row?.template ? templateOf(row.template) : undefined,
    managedService: row?.managed_service ?? undefined,
    accountId: row?.account_id ?? undefined,
  };
}

function templateOf(row: TemplateRow): SmsTemplate {
  return {
    id: row.id,
    content: row.content,
    category: row.category,
    status: row.status,
    approvalStatus: row.approval_status,
    ...(row.managed_service_key === null ? {} : { managedServiceKey: row.managed_service_key }),
    paramDefinitions: row.param_definitions,
    registrations: row.registrations,
  };
}

/** The rules on senders that are on. */
export async function loadSenderRules(knex: Knex, countries?: readonly string[]): Promise<SenderRules[]> {
  const enabled = knex('sender_rules').where({ enabled: true });
  return (countries === undefined ? enabled : enabled.whereIn('country', countries)).select({
    country: 'country',
    kinds: 'kinds',
    minLength: 'min_length',
    maxLength: 'max_length',
    genericNames: 'generic_names',
    registeredKinds: 'registered_kinds',
    separatePromotional: 'separate_promotional',
    shared: 'shared',
    source: 'source',
  });
}
