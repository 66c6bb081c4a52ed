/** Lists SMS services. */
import { listSmsServices as list } from '../../../src/manage/messaging/sms-services.ts';
import { type ManagementHandler, type Part, pageOf } from '../operation.ts';

export const listSmsServices: ManagementHandler<'listSmsServices'> = async ({ query, reply }, management) => {
  const read = (part: Part) => list(management, { team: query.teamId, ...part });
  return reply(200, await pageOf('listSmsServices', query, management, read, ({ id }) => id));
};
