/** Commands for users: people and programs that call the management API. */
import {
  changeUser,
  createUser,
  listUsers,
  revokeFormerUserKey,
  rotateUserKey,
  type User,
} from '../../manage/access/users.ts';
import { roles } from '../../manage/rules.ts';
import { CommandError, command } from '../line/command.ts';
import { listByTeam } from '../line/list-by-team.ts';

const user = { user: 'id of the user' };
const role = { kind: 'text', about: 'what the user may do', choices: roles } as const;
const shownOnce = 'The access key is shown only once: store it now.';

export const userCommands = [
  command({
    words: 'user add',
    about: 'add a user of the management API and show its access key',
    positionals: { user: 'id of the new user' },
    options: {
      role: { ...role, required: true },
      team: { kind: 'text', about: 'the only team that the user manages; default: the whole platform' },
      name: { kind: 'text', about: 'display name; default: the id' },
    },
    async run({ user: id, role, team, name }, context) {
      const management = await context.management();
      const { key } = await createUser(management, {
        id,
        role: role as User['role'],
        teamId: team ?? null,
        name,
      });
      return { one: { user: id, accessKey: key }, note: shownOnce };
    },
  }),
  command({
    words: 'user set',
    about: 'change a user; options that you omit stay unchanged',
    positionals: user,
    options: { role, name: { kind: 'text', about: 'display name' } },
    async run({ user: id, role, name }, context) {
      if (role === undefined && name === undefined)
        throw new CommandError('nothing to change: give --role or --name');
      const edit = { role: role as User['role'] | undefined, name };
      return { one: summaryOf(await changeUser(await context.management(), id, edit)) };
    },
  }),
  command({
    words: 'user rotate',
    about: 'give a user a new access key; the former one stays valid until user revoke --former',
    positionals: user,
    async run({ user: id }, context) {
      const { key } = await rotateUserKey(await context.management(), id);
      return { one: { user: id, accessKey: key }, note: shownOnce };
    },
  }),
  command({
    words: 'user revoke',
    about: 'disable a user, or withdraw its former access key',
    positionals: user,
    options: { former: { kind: 'flag', about: 'withdraw only the former key; the newest stays valid' } },
    async run({ user: id, former }, context) {
      const management = await context.management();
      const changed = former
        ? await revokeFormerUserKey(management, id)
        : await changeUser(management, id, { enabled: false });
      return { one: summaryOf(changed) };
    },
  }),
  command({
    words: 'user restore',
    about: 'enable a disabled user',
    positionals: user,
    async run({ user: id }, context) {
      return { one: summaryOf(await changeUser(await context.management(), id, { enabled: true })) };
    },
  }),
  listByTeam('user list', 'list the users of the management API', async (management, filter) =>
    (await listUsers(management, filter)).map(summaryOf),
  ),
];

function summaryOf({ id, teamId, name, role, enabled, keys }: User) {
  return { user: id, team: teamId, name, role, enabled, keys };
}
