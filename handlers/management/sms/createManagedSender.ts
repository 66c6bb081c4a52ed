/** Adds a managed sender. */
import { createManagedSender as create } from '../../../src/manage/messaging/managed-senders.ts';
import { etagOf, type ManagementHandler, wire } from '../operation.ts';

export const createManagedSender: ManagementHandler<'createManagedSender'> = async (
  { body, reply },
  management,
) => {
  const created = await create(management, body);
  return reply(201, wire(created), etagOf(created));
};
