/** Lists users. */
import { listUsers as list } from '../../../src/manage/access/users.ts';
import { type ManagementHandler, type Part, pageOf } from '../operation.ts';

export const listUsers: ManagementHandler<'listUsers'> = async ({ query, reply }, management) => {
  const read = (part: Part) => list(management, { team: query.teamId, ...part });
  return reply(200, await pageOf('listUsers', query, management, read, ({ id }) => id));
};
