/** Changes a team. */
import { changeTeam as change } from '../../../src/manage/access/teams.ts';
import { etagOf, type ManagementHandler, wire } from '../operation.ts';

export const updateTeam: ManagementHandler<'updateTeam'> = async (
  { path, body, version, reply },
  management,
) => {
  const changed = await change(management, path.teamId, body, version);
  return reply(200, wire(changed), etagOf(changed));
};
