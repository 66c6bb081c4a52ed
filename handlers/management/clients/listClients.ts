/** Lists clients. */
import { listClients as list } from '../../../src/manage/access/clients.ts';
import { type ManagementHandler, type Part, pageOf } from '../operation.ts';

export const listClients: ManagementHandler<'listClients'> = async ({ query, reply }, management) => {
  const read = (part: Part) => list(management, { team: query.teamId, ...part });
  return reply(200, await pageOf('listClients', query, management, read, ({ id }) => id));
};
