/** Lists chat-app templates. */
import { listChatAppTemplates as list } from '../../../../src/manage/messaging/chatapp-templates.ts';
import { type ManagementHandler, type Part, pageOf } from '../../operation.ts';
import { written } from './components.ts';

export const listChatAppTemplates: ManagementHandler<'listChatAppTemplates'> = async (
  { query, reply },
  management,
) => {
  const { teamId: team, approvalStatus } = query;
  const read = async (part: Part) => (await list(management, { team, approvalStatus, ...part })).map(written);
  return reply(200, await pageOf('listChatAppTemplates', query, management, read, ({ id }) => id));
};
