/** Manages SMS services. */
import { type Fault, requireNone } from '../../errors/management.ts';
import {
  findService,
  insertService,
  listServices,
  type StoredSmsService,
  updateService,
} from '../../sms/service-repository.ts';
import type { Management, TeamPage } from '../management.ts';
import { changeResource, createResource, getResource, listedTeam, type ResourceKind } from '../resource.ts';
import { choiceFaults, rangeFaults, ranges, rules, serviceStatuses, textFaults } from '../rules.ts';

const kind: ResourceKind<StoredSmsService> = {
  noun: 'service',
  table: 'services',
  key: 'id',
  find: findService,
  teamOf: ({ teamId }) => teamId,
  view: (service) => service,
};

export interface NewSmsService {
  id: string;
  teamId: string;
  sender: string;
  /** The id if omitted. */
  name?: string | undefined;
  /** How long its messages and bundles wait for their network; null: what the settings say. */
  validitySeconds?: number | null | undefined;
}

export async function createSmsService(
  management: Management,
  { id, teamId, sender, name = id, validitySeconds = null }: NewSmsService,
): Promise<StoredSmsService> {
  return createResource(management, kind, {
    id,
    team: teamId,
    faults: editFaults({ sender, name, validitySeconds }),
    insert: (trx) => insertService(trx, { id, teamId, name, sender, validitySeconds }),
  });
}

export async function getSmsService(management: Management, id: string): Promise<StoredSmsService> {
  return getResource(management, kind, id);
}

export type SmsServiceEdit = {
  [Name in 'name' | 'sender' | 'status' | 'validitySeconds']?: StoredSmsService[Name] | undefined;
};

export async function changeSmsService(
  management: Management,
  id: string,
  edit: SmsServiceEdit,
  version?: string,
): Promise<StoredSmsService> {
  requireNone(editFaults(edit));
  const { name, sender, status, validitySeconds } = edit;
  return changeResource(management, kind, id, { action: 'change', version }, (_before, trx) =>
    updateService(trx, id, { name, sender, status, validitySeconds }),
  );
}

export async function listSmsServices(
  management: Management,
  { team, ...page }: TeamPage = {},
): Promise<StoredSmsService[]> {
  return listServices(management.knex, { teamId: await listedTeam(management, team), ...page });
}

function editFaults({ name, sender, status, validitySeconds }: SmsServiceEdit): Fault[] {
  return [
    ...textFaults('name', name, rules.name),
    ...textFaults('sender', sender, rules.sender),
    ...choiceFaults('status', status, serviceStatuses),
    ...rangeFaults('validitySeconds', validitySeconds, ranges.validitySeconds),
  ];
}
