/** Lists SMS templates; those that are pending are the review queue. */
import { listSmsTemplates as list } from '../../../src/manage/messaging/sms-templates.ts';
import { type ManagementHandler, type Part, pageOf } from '../operation.ts';

export const listSmsTemplates: ManagementHandler<'listSmsTemplates'> = async (
  { query, reply },
  management,
) => {
  const read = (part: Part) =>
    list(management, { team: query.teamId, approvalStatus: query.approvalStatus, ...part });
  return reply(200, await pageOf('listSmsTemplates', query, management, read, ({ id }) => id));
};
