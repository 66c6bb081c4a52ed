/** Withdraws the former access key of a user. */
import { revokeFormerUserKey as change } from '../../../src/manage/access/users.ts';
import { etagOf, type ManagementHandler, wire } from '../operation.ts';

export const revokeFormerUserKey: ManagementHandler<'revokeFormerUserKey'> = async (
  { path, reply },
  management,
) => {
  const changed = await change(management, path.userId);
  return reply(200, wire(changed), etagOf(changed));
};
