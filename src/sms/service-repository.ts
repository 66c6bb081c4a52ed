/** Keeps what SMS are sent through. */
import type { Knex } from 'knex';
import type { SmsService } from './service.ts';

export interface StoredSmsService extends SmsService {
  teamId: string;
  name: string;
}

/** False when the id is taken. */
export async function insertService(
  knex: Knex,
  { id, teamId, name, sender }: Omit<StoredSmsService, 'status'>,
): Promise<boolean> {
  const inserted = await knex('services')
    .insert({ id, team_id: teamId, name, sender })
    .onConflict('id')
    .ignore()
    .returning('id');
  return inserted.length > 0;
}

/** Of one team, or of all. */
export async function listServices(knex: Knex, teamId: string | undefined): Promise<StoredSmsService[]> {
  return knex('services')
    .where(teamId === undefined ? {} : { team_id: teamId })
    .orderBy(['team_id', 'id'])
    .select('id', 'team_id as teamId', 'name', 'sender', 'status');
}
