/** Adds an SMS template. */
import { createSmsTemplate as create } from '../../../src/manage/messaging/sms-templates.ts';
import { etagOf, type ManagementHandler, ownerOf, wire } from '../operation.ts';

export const createSmsTemplate: ManagementHandler<'createSmsTemplate'> = async (
  { body, caller, reply },
  management,
) => {
  const created = await create(management, { ...body, teamId: ownerOf(body, caller) });
  return reply(201, wire(created), etagOf(created));
};
