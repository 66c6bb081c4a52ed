/** Adds units to an account of a team. */
import { topUp as post } from '../../../src/manage/units/accounts.ts';
import type { ManagementHandler } from '../operation.ts';

export const topUp: ManagementHandler<'topUp'> = async ({ path, body, reply }, management) => {
  const { team: teamId, ...posting } = await post(management, { ...body, team: path.teamId });
  return reply(200, { ...posting, teamId });
};
