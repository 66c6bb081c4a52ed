/** Gets a channel. */
import { getChannel as get } from '../../../src/manage/networks/channels.ts';
import { etagOf, type ManagementHandler } from '../operation.ts';
import { writtenChannel } from './written.ts';

export const getChannel: ManagementHandler<'getChannel'> = async ({ path, reply }, management) => {
  const found = await get(management, path.channelName);
  return reply(200, writtenChannel(found), etagOf(found));
};
