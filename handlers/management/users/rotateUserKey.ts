/** Gives a user a new access key. */
import { rotateUserKey as rotate } from '../../../src/manage/access/users.ts';
import { etagOf, type ManagementHandler, wire } from '../operation.ts';

export const rotateUserKey: ManagementHandler<'rotateUserKey'> = async ({ path, reply }, management) => {
  const rotated = await rotate(management, path.userId);
  return reply(200, wire(rotated), etagOf(rotated.user));
};
