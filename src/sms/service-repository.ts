/** Stores SMS services. */
import type { Knex } from 'knex';
import { byTeam } from '../db/by-team.ts';
import { insertNew } from '../db/insert.ts';
import type { SmsService } from './service.ts';

export interface StoredSmsService extends SmsService {
  teamId: string;
  name: string;
}

/** False when the id is taken. */
export async function insertService(
  knex: Knex,
  { id, teamId, name, sender, validitySeconds }: Omit<StoredSmsService, 'status'>,
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
export async function listServices(knex: Knex, teamId: string | undefined): Promise<StoredSmsService[]> {
  return services(knex).modify(byTeam, teamId);
}

export async function findService(knex: Knex, id: string): Promise<StoredSmsService | undefined> {
  return services(knex).where({ id }).first();
}

export type ServiceChange = {
  [Name in 'name' | 'sender' | 'status' | 'validitySeconds']: StoredSmsService[Name] | undefined;
};

/** What is undefined stays. False when there is no such service. */
export async function updateService(
  knex: Knex,
  id: string,
  { name, sender, status, validitySeconds }: ServiceChange,
): Promise<boolean> {
  const change = { name, sender, status, validity_seconds: validitySeconds };
  return (await knex('services').where({ id }).update(change)) > 0;
}

function services(knex: Knex) {
  return knex('services').select(
    'id',
    'team_id as teamId',
    'name',
    'sender',
    'status',
    'validity_seconds as validitySeconds',
  );
}
