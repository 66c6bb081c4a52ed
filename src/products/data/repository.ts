/** Reads the facts of one disbursement in one query. */
import type { Knex } from 'knex';
import { grantOfService, type SmsService } from '../sms/service.ts';
import type { Campaign } from './campaign.ts';
import type { DataTeamFacts } from './facts.ts';

interface FactsRow {
  campaign: (Campaign & { serviceId: string; validitySeconds: number | null }) | null;
  sms_service: SmsService | null;
  account_ids: Record<string, string> | null;
  sms_account_id: string | null;
}

/**
 * Only what belongs to the team is found: another team's id reads as unknown. Without `smsServiceId` the service
 * is the campaign's own.
 */
export async function loadDataFacts(
  knex: Knex,
  teamId: string,
  campaignId: string,
  smsServiceId: string | undefined,
): Promise<DataTeamFacts> {
  const { rows } = await knex.raw<{ rows: FactsRow[] }>(
    `select
       case when c.id is not null then json_build_object('id', c.id, 'status', c.status,
         'allowedDenominations', c.allowed_denominations, 'serviceId', c.service_id,
         'validitySeconds', (select validity_seconds from services where id = c.service_id),
         'expiresAtMs', floor(extract(epoch from c.expires_at) * 1000)) end as campaign,
       case when s.id is not null then json_build_object('id', s.id, 'sender', s.sender, 'grant', ${grantOfService}, 'status', s.status,
         'purpose', s.purpose, 'quietHours', s.quiet_hours, 'validitySeconds', s.validity_seconds) end as sms_service,
       (select json_object_agg(a.variant, a.id::text) from accounts a
        where a.team_id = :teamId and a.product = 'data') as account_ids,
       (select a.id from accounts a where a.team_id = :teamId and a.product = 'sms' and a.variant = '')
         as sms_account_id
     from (select 1) as one
       left join campaigns c on c.id = :campaignId and c.team_id = :teamId
       left join services s on s.id = coalesce(:smsServiceId, c.service_id) and s.team_id = :teamId`,
    { teamId, campaignId, smsServiceId: smsServiceId ?? null },
  );
  const row = rows[0];
  return {
    campaign: row?.campaign ?? undefined,
    validitySeconds: row?.campaign?.validitySeconds ?? null,
    smsServiceId: smsServiceId ?? row?.campaign?.serviceId ?? '',
    smsService: row?.sms_service ?? undefined,
    accountIds: new Map(Object.entries(row?.account_ids ?? {})),
    smsAccountId: row?.sms_account_id ?? undefined,
  };
}
