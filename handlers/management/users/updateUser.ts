/** Changes a user. */
import { changeUser as change } from '../../../src/manage/access/users.ts';
import { etagOf, type ManagementHandler, wire } from '../operation.ts';

export const updateUser: ManagementHandler<'updateUser'> = async (
  { path, body, version, reply },
  management,
) => {
  const changed = await change(management, path.userId, body, version);
  return reply(200, wire(changed), etagOf(changed));
};
