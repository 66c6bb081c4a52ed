/** Gets a user. */
import { getUser as get } from '../../../src/manage/access/users.ts';
import { etagOf, type ManagementHandler, wire } from '../operation.ts';

export const getUser: ManagementHandler<'getUser'> = async ({ path, reply }, management) => {
  const found = await get(management, path.userId);
  return reply(200, wire(found), etagOf(found));
};
