/** Gets a team. */
import { getTeam as get } from '../../../src/manage/access/teams.ts';
import { etagOf, type ManagementHandler, wire } from '../operation.ts';

export const getTeam: ManagementHandler<'getTeam'> = async ({ path, reply }, management) => {
  const found = await get(management, path.teamId);
  return reply(200, wire(found), etagOf(found));
};
