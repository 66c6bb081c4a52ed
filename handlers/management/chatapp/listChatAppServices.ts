/** Lists chat-app services. */
import { listChatAppServices as list } from '../../../src/manage/messaging/chatapp-services.ts';
import { type ManagementHandler, type Part, pageOf } from '../operation.ts';

export const listChatAppServices: ManagementHandler<'listChatAppServices'> = async (
  { query, reply },
  management,
) => {
  const read = (part: Part) => list(management, { team: query.teamId, ...part });
  return reply(200, await pageOf('listChatAppServices', query, management, read, ({ id }) => id));
};
