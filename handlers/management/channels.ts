/** Channels. */
import { channels } from '../../src/manage/networks/channels.ts';
import { type ManagementHandler, wire } from './operation.ts';
import { changes, creates, gets } from './resource.ts';

/** Lists channels. */
export const listChannels: ManagementHandler<'listChannels'> = async ({ reply }, management) => {
  return reply(200, { items: (await channels.list(management)).map(wire) });
};

export const createChannel = creates('createChannel', channels, '/channels/');
export const getChannel = gets('getChannel', channels, 'channelName');
export const updateChannel = changes('updateChannel', channels, 'channelName');
