/** Changes an SMS service. */
import { changeSmsService as change } from '../../../src/manage/messaging/sms-services.ts';
import { etagOf, type ManagementHandler, wire } from '../operation.ts';

export const updateSmsService: ManagementHandler<'updateSmsService'> = async (
  { path, body, version, reply },
  management,
) => {
  const changed = await change(management, path.serviceId, body, version);
  return reply(200, wire(changed), etagOf(changed));
};
