/** Adds a user, with its first access key. */
import { createUser as create } from '../../../src/manage/access/users.ts';
import { etagOf, type ManagementHandler, wire } from '../operation.ts';

export const createUser: ManagementHandler<'createUser'> = async ({ body, caller, reply }, management) => {
  const teamId = body.teamId ?? caller.teamId ?? null;
  const created = await create(management, { ...body, teamId });
  return reply(201, wire(created), etagOf(created.user));
};
