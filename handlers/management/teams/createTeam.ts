/** Adds a team. */
import { createTeam as create } from '../../../src/manage/access/teams.ts';
import { etagOf, type ManagementHandler, wire } from '../operation.ts';

export const createTeam: ManagementHandler<'createTeam'> = async ({ body, reply }, management) => {
  const created = await create(management, body);
  return reply(201, wire(created), etagOf(created));
};
