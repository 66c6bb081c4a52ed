/** Manages campaigns: the rules under which mobile data is given. */
import type { Knex } from 'knex';
import {
  type CampaignChange,
  findCampaign,
  insertCampaign,
  listCampaigns as listStored,
  type StoredCampaign,
  updateCampaign,
} from '../../data/campaign-repository.ts';
import { windowOf } from '../../data/frequency.ts';
import { type Fault, faults, requireNone } from '../../errors/management.ts';
import { findService } from '../../sms/service-repository.ts';
import type { Management, TeamPage } from '../management.ts';
import { changeResource, createResource, getResource, listedTeam, type ResourceKind } from '../resource.ts';
import { choiceFaults, rules, templateStatuses, textFaults } from '../rules.ts';

const kind: ResourceKind<StoredCampaign> = {
  noun: 'campaign',
  table: 'campaigns',
  key: 'id',
  find: findCampaign,
  teamOf: ({ teamId }) => teamId,
  view: (campaign) => campaign,
};

export const frequencies = Object.keys(windowOf);

export interface NewCampaign
  extends Pick<StoredCampaign, 'id' | 'teamId' | 'serviceId' | 'allowedDenominations' | 'frequency'> {
  /** The id if omitted. */
  name?: string | undefined;
  /** Null: it does not end. */
  expiresAt?: Date | null | undefined;
}

export async function createCampaign(
  management: Management,
  { id, teamId, serviceId, frequency, name = id, expiresAt = null, ...rest }: NewCampaign,
): Promise<StoredCampaign> {
  const allowedDenominations = [...new Set(rest.allowedDenominations)];
  return createResource(management, kind, {
    id,
    team: teamId,
    faults: editFaults({ name, frequency, allowedDenominations, expiresAt }),
    check: (trx) => serviceFaults(trx, management, teamId, serviceId),
    insert: (trx) =>
      insertCampaign(trx, {
        id,
        teamId,
        name,
        serviceId,
        status: 'Active',
        allowedDenominations,
        frequency,
        expiresAt,
      }),
  });
}

export async function getCampaign(management: Management, id: string): Promise<StoredCampaign> {
  return getResource(management, kind, id);
}

export type CampaignEdit = Partial<CampaignChange>;

export async function changeCampaign(
  management: Management,
  id: string,
  edit: CampaignEdit,
  version?: string,
): Promise<StoredCampaign> {
  requireNone(editFaults(edit));
  const { name, status, serviceId, allowedDenominations, frequency, expiresAt } = edit;
  return changeResource(management, kind, id, { action: 'change', version }, async (before, trx) => {
    if (serviceId !== undefined) requireNone(await serviceFaults(trx, management, before.teamId, serviceId));
    await updateCampaign(trx, id, {
      name,
      status,
      serviceId,
      allowedDenominations: allowedDenominations && [...new Set(allowedDenominations)],
      frequency,
      expiresAt,
    });
  });
}

export async function listCampaigns(
  management: Management,
  { team, ...page }: TeamPage = {},
): Promise<StoredCampaign[]> {
  return listStored(management.knex, { teamId: await listedTeam(management, team), ...page });
}

/** A caller of another team learns nothing of the services of this one. */
async function serviceFaults(
  knex: Knex,
  { team: callers }: Pick<Management, 'team'>,
  team: string,
  service: string,
): Promise<Fault[]> {
  const visible = callers === undefined || callers === team;
  const found = visible ? await findService(knex, service) : undefined;
  return found?.teamId === team ? [] : [faults.serviceOfTeam(team, service)];
}

function editFaults({ name, status, frequency, allowedDenominations, expiresAt }: CampaignEdit): Fault[] {
  const field = 'allowedDenominations';
  return [
    ...textFaults('name', name, rules.name),
    ...choiceFaults('status', status, templateStatuses),
    ...choiceFaults('frequency', frequency, frequencies),
    ...(allowedDenominations?.length === 0 ? [faults.fieldRule(field, 'a list of at least one size')] : []),
    ...(allowedDenominations?.some((size) => !rules.denomination.rule.test(size))
      ? [faults.fieldRule(field, rules.denomination.words)]
      : []),
    ...(expiresAt && Number.isNaN(expiresAt.getTime()) ? [faults.fieldRule('expiresAt', 'an instant')] : []),
  ];
}
