/** Gets a client. */
import { getClient as get } from '../../../src/manage/access/clients.ts';
import { etagOf, type ManagementHandler, wire } from '../operation.ts';

export const getClient: ManagementHandler<'getClient'> = async ({ path, reply }, management) => {
  const found = await get(management, path.clientId);
  return reply(200, wire(found), etagOf(found));
};
