/** Manages chat-app services. */
import {
  findService,
  insertService,
  listServices,
  type StoredChatAppService,
  updateService,
} from '../../chatapp/service-repository.ts';
import { requireNone } from '../../errors/management.ts';
import type { Management, TeamPage } from '../management.ts';
import { changeResource, createResource, getResource, listedTeam, type ResourceKind } from '../resource.ts';
import { choiceFaults, rules, serviceStatuses, textFaults } from '../rules.ts';

export const chatAppServiceKind: ResourceKind<StoredChatAppService> = {
  noun: 'chat-app service',
  table: 'chatapp_services',
  key: 'id',
  find: findService,
  teamOf: ({ teamId }) => teamId,
  view: (service) => service,
};

/** `name`: the id if omitted. */
export async function createChatAppService(
  management: Management,
  { id, teamId, name = id }: { id: string; teamId: string; name?: string | undefined },
): Promise<StoredChatAppService> {
  return createResource(management, chatAppServiceKind, {
    id,
    team: teamId,
    faults: textFaults('name', name, rules.name),
    insert: (trx) => insertService(trx, { id, teamId, name }),
  });
}

export async function getChatAppService(management: Management, id: string): Promise<StoredChatAppService> {
  return getResource(management, chatAppServiceKind, id);
}

export type ChatAppServiceEdit = {
  [Name in 'name' | 'status']?: StoredChatAppService[Name] | undefined;
};

export async function changeChatAppService(
  management: Management,
  id: string,
  { name, status }: ChatAppServiceEdit,
  version?: string,
): Promise<StoredChatAppService> {
  requireNone([...textFaults('name', name, rules.name), ...choiceFaults('status', status, serviceStatuses)]);
  return changeResource(management, chatAppServiceKind, id, { action: 'change', version }, (_before, trx) =>
    updateService(trx, id, { name, status }),
  );
}

export async function listChatAppServices(
  management: Management,
  { team, ...page }: TeamPage = {},
): Promise<StoredChatAppService[]> {
  return listServices(management.knex, { teamId: await listedTeam(management, team), ...page });
}
