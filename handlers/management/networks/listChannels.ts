/** Lists channels. */
import { listChannels as list } from '../../../src/manage/networks/channels.ts';
import type { ManagementHandler } from '../operation.ts';
import { writtenChannel } from './written.ts';

export const listChannels: ManagementHandler<'listChannels'> = async ({ reply }, management) => {
  return reply(200, { items: (await list(management)).map(writtenChannel) });
};
