/** Stores chat-app services. */
import type { Knex } from 'knex';
import { byTeam } from '../db/by-team.ts';
import { insertNew } from '../db/insert.ts';
import type { ChatAppService } from './facts.ts';

export interface StoredChatAppService extends ChatAppService {
  teamId: string;
  name: string;
}

/** False when the id is taken. */
export async function insertService(
  knex: Knex,
  { id, teamId, name }: Omit<StoredChatAppService, 'status'>,
): Promise<boolean> {
  return insertNew(knex, 'chatapp_services', { id, team_id: teamId, name });
}

/** Of one team, or of all. */
export async function listServices(knex: Knex, teamId: string | undefined): Promise<StoredChatAppService[]> {
  return services(knex).modify(byTeam, teamId);
}

export async function findService(knex: Knex, id: string): Promise<StoredChatAppService | undefined> {
  return services(knex).where({ id }).first();
}

export type ServiceChange = {
  [Name in 'name' | 'status']: StoredChatAppService[Name] | undefined;
};

/** What is undefined stays. False when there is no such service. */
export async function updateService(knex: Knex, id: string, change: ServiceChange): Promise<boolean> {
  return (await knex('chatapp_services').where({ id }).update(change)) > 0;
}

function services(knex: Knex) {
  return knex('chatapp_services').select('id', 'team_id as teamId', 'name', 'status');
}
