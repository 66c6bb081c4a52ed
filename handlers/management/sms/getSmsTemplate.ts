/** Gets an SMS template. */
import { getSmsTemplate as get } from '../../../src/manage/messaging/sms-templates.ts';
import { etagOf, type ManagementHandler, wire } from '../operation.ts';

export const getSmsTemplate: ManagementHandler<'getSmsTemplate'> = async ({ path, reply }, management) => {
  const found = await get(management, path.templateId);
  return reply(200, wire(found), etagOf(found));
};
