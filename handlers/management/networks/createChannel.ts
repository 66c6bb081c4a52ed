/** Adds a channel. */
import { createChannel as create } from '../../../src/manage/networks/channels.ts';
import { etagOf, type ManagementHandler } from '../operation.ts';
import { writtenChannel } from './written.ts';

export const createChannel: ManagementHandler<'createChannel'> = async ({ body, reply }, management) => {
  const created = await create(management, body);
  return reply(201, writtenChannel(created), etagOf(created));
};
