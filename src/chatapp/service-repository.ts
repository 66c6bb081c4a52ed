/** Stores chat-app services. */
import type { Knex } from 'knex';
import { byTeam, type Part } from '../db/by-team.ts';
import { insertNew } from '../db/insert.ts';
import { updateRow } from '../db/update-row.ts';
import type { ChatAppService } from './facts.ts';

export interface StoredChatAppService extends ChatAppService {
  teamId: string;
  name: string;
  createdAt: Date;
}

/** False when the id is taken. */
export async function insertService(
  knex: Knex,
  { id, teamId, name }: Omit<StoredChatAppService, 'status' | 'createdAt'>,
): Promise<boolean> {
  return insertNew(knex, 'chatapp_services', { id, team_id: teamId, name });
}

/** Of one team, or of all. */
export async function listServices(knex: Knex, part: Part): Promise<StoredChatAppService[]> {
  return services(knex).modify(byTeam, part);
}

export async function findService(knex: Knex, id: string): Promise<StoredChatAppService | undefined> {
  return services(knex).where({ id }).first();
}

export type ServiceChange = {
  [Name in 'name' | 'status']: StoredChatAppService[Name] | undefined;
};

/** What is undefined stays. */
export async function updateService(knex: Knex, id: string, { name, status }: ServiceChange): Promise<void> {
  await updateRow(knex, 'chatapp_services', { id }, { name, status });
}

function services(knex: Knex) {
  return knex('chatapp_services').select(
    'id',
    'team_id as teamId',
    'name',
    'status',
    'created_at as createdAt',
  );
}
