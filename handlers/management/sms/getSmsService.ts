/** Gets an SMS service. */
import { getSmsService as get } from '../../../src/manage/messaging/sms-services.ts';
import { etagOf, type ManagementHandler, wire } from '../operation.ts';

export const getSmsService: ManagementHandler<'getSmsService'> = async ({ path, reply }, management) => {
  const found = await get(management, path.serviceId);
  return reply(200, wire(found), etagOf(found));
};
