/** Commands for chat-app services. */
import {
  findService,
  insertService,
  listServices,
  type StoredChatAppService,
  updateService,
} from '../chatapp/service-repository.ts';
import { CommandError, command } from './command.ts';
import { listByTeam, requireTeam } from './teams.ts';

export const chatServiceCommands = [
  command({
    words: 'chat-service add',
    about: 'add a chat-app service',
    positionals: { service: 'id of the new service, used in /message/{serviceId}/chatapp' },
    options: {
      team: { kind: 'text', about: 'owning team', required: true },
      name: { kind: 'text', about: 'display name; default: the id' },
    },
    async run({ service: id, team, name = id }, context) {
      const database = await context.database();
      await requireTeam(database, team);
      if (!(await insertService(database.knex, { id, teamId: team, name })))
        throw new CommandError(`chat-app service ${id} already exists`);
      return { one: summaryOf({ id, teamId: team, name, status: 'Active' }) };
    },
  }),
  command({
    words: 'chat-service set',
    about: 'change a chat-app service; options that you omit stay unchanged',
    positionals: { service: 'its id' },
    options: {
      name: { kind: 'text', about: 'display name' },
      status: { kind: 'text', about: 'whether it accepts requests', choices: ['Active', 'Inactive'] },
    },
    async run({ service: id, name, status }, context) {
      if (name === undefined && status === undefined)
        throw new CommandError('nothing to change: give --name or --status');
      const { knex } = await context.database();
      await updateService(knex, id, { name, status: status as StoredChatAppService['status'] | undefined });
      const service = await findService(knex, id);
      if (service === undefined) throw new CommandError(`chat-app service ${id} does not exist`);
      return { one: summaryOf(service) };
    },
  }),
  listByTeam('chat-service list', 'list the chat-app services', async ({ knex }, team) =>
    (await listServices(knex, team)).map(summaryOf),
  ),
];

function summaryOf({ id, teamId, name, status }: StoredChatAppService) {
  return { service: id, team: teamId, name, status };
}
