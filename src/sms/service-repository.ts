/** Stores SMS services. */
import type { Knex } from 'knex';
import { byTeam, type Part } from '../db/by-team.ts';
import { insertNew } from '../db/insert.ts';
import { updateRow } from '../db/update-row.ts';
import type { SmsService } from './service.ts';

export interface StoredSmsService extends SmsService {
  teamId: string;
  name: string;
  createdAt: Date;
}

/** False when the id is taken. */
export async function insertService(
  knex: Knex,
  { id, teamId, name, sender, validitySeconds }: Omit<StoredSmsService, 'status' | 'createdAt'>,
): Promise<boolean> {
  return insertNew(knex, 'services', {
    id,
    team_id: teamId,
    name,
    sender,
    validity_seconds: validitySeconds,
  });
}

/** Of one team, or of all. */
export async function listServices(knex: Knex, part: Part): Promise<StoredSmsService[]> {
  return services(knex).modify(byTeam, part);
}

export async function findService(knex: Knex, id: string): Promise<StoredSmsService | undefined> {
  return services(knex).where({ id }).first();
}

export type ServiceChange = {
  [Name in 'name' | 'sender' | 'status' | 'validitySeconds']: StoredSmsService[Name] | undefined;
};

/** What is undefined stays. */
export async function updateService(
  knex: Knex,
  id: string,
  { name, sender, status, validitySeconds }: ServiceChange,
): Promise<void> {
  await updateRow(knex, 'services', { id }, { name, sender, status, validity_seconds: validitySeconds });
}

function services(knex: Knex) {
  return knex('services').select(
    'id',
    'team_id as teamId',
    'name',
    'sender',
    'status',
    'validity_seconds as validitySeconds',
    'created_at as createdAt',
  );
}
