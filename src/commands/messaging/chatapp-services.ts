/** Commands for chat-app services. */
import {
  type ChatAppServiceEdit,
  changeChatAppService,
  createChatAppService,
  listChatAppServices,
} from '../../manage/messaging/chatapp-services.ts';
import { serviceStatuses } from '../../manage/rules.ts';
import { CommandError, command } from '../line/command.ts';
import { listByTeam } from '../line/list-by-team.ts';

export const chatAppServiceCommands = [
  command({
    words: 'chat-service add',
    about: 'add a chat-app service',
    positionals: { service: 'id of the new service, used in /message/{serviceId}/chatapp' },
    options: {
      team: { kind: 'text', about: 'owning team', required: true },
      name: { kind: 'text', about: 'display name; default: the id' },
    },
    async run({ service: id, team: teamId, name }, context) {
      return { one: summaryOf(await createChatAppService(await context.management(), { id, teamId, name })) };
    },
  }),
  command({
    words: 'chat-service set',
    about: 'change a chat-app service; options that you omit stay unchanged',
    positionals: { service: 'its id' },
    options: {
      name: { kind: 'text', about: 'display name' },
      status: { kind: 'text', about: 'whether it accepts requests', choices: serviceStatuses },
    },
    async run({ service: id, name, status }, context) {
      if (name === undefined && status === undefined)
        throw new CommandError('nothing to change: give --name or --status');
      const edit = { name, status: status as ChatAppServiceEdit['status'] };
      return { one: summaryOf(await changeChatAppService(await context.management(), id, edit)) };
    },
  }),
  listByTeam('chat-service list', 'list the chat-app services', async (management, filter) =>
    (await listChatAppServices(management, filter)).map(summaryOf),
  ),
];

function summaryOf({ id, teamId, name, status }: Awaited<ReturnType<typeof createChatAppService>>) {
  return { service: id, team: teamId, name, status };
}
