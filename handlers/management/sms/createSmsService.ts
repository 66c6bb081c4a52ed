/** Adds an SMS service. */
import { createSmsService as create } from '../../../src/manage/messaging/sms-services.ts';
import { etagOf, type ManagementHandler, ownerOf, wire } from '../operation.ts';

export const createSmsService: ManagementHandler<'createSmsService'> = async (
  { body, caller, reply },
  management,
) => {
  const created = await create(management, { ...body, teamId: ownerOf(body, caller) });
  return reply(201, wire(created), etagOf(created));
};
