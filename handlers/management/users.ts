/** Users: people and programs that manage the service. */
import {
  createUser as create,
  revokeFormerUserKey as revokeFormer,
  rotateUserKey as rotate,
  users,
} from '../../src/manage/access/users.ts';
import { etagOf, headersOfNew, type ManagementHandler, wire } from './operation.ts';
import { changes, gets, lists } from './resource.ts';

export const listUsers = lists('listUsers', users);

/** Adds a user, with its first access key. */
export const createUser: ManagementHandler<'createUser'> = async ({ body, caller, reply }, management) => {
  const teamId = body.teamId ?? caller.teamId ?? null;
  const created = await create(management, { ...body, teamId });
  return reply(201, wire(created), headersOfNew(created.user, '/users/', created.user.id));
};

export const getUser = gets('getUser', users, 'userId');
export const updateUser = changes('updateUser', users, 'userId');

/** Gives a user a new access key. */
export const rotateUserKey: ManagementHandler<'rotateUserKey'> = async ({ path, reply }, management) => {
  const rotated = await rotate(management, path.userId);
  return reply(200, wire(rotated), etagOf(rotated.user));
};

/** Withdraws the former access key of a user. */
export const revokeFormerUserKey: ManagementHandler<'revokeFormerUserKey'> = async (
  { path, reply },
  management,
) => {
  const changed = await revokeFormer(management, path.userId);
  return reply(200, wire(changed), etagOf(changed));
};
