/** Changes an SMS template. */
import { changeSmsTemplate as change } from '../../../src/manage/messaging/sms-templates.ts';
import { etagOf, type ManagementHandler, wire } from '../operation.ts';

export const updateSmsTemplate: ManagementHandler<'updateSmsTemplate'> = async (
  { path, body, version, reply },
  management,
) => {
  const changed = await change(management, path.templateId, body, version);
  return reply(200, wire(changed), etagOf(changed));
};
