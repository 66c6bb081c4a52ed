/** Corrects the balance of an account. */
import { correctBalance as post } from '../../../src/manage/units/accounts.ts';
import type { ManagementHandler } from '../operation.ts';

export const correctBalance: ManagementHandler<'correctBalance'> = async (
  { path, body, reply },
  management,
) => {
  const { team: teamId, ...posting } = await post(management, { ...body, team: path.teamId });
  return reply(200, { ...posting, teamId });
};
