/** Lists chat-app senders. */
import { listSenders as list } from '../../../src/manage/messaging/senders.ts';
import { type ManagementHandler, type Part, pageOf } from '../operation.ts';

export const listSenders: ManagementHandler<'listSenders'> = async ({ query, reply }, management) => {
  const read = (part: Part) => list(management, { team: query.teamId, ...part });
  return reply(200, await pageOf('listSenders', query, management, read, ({ id }) => id));
};
