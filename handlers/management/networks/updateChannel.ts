/** Changes a channel. */
import { changeChannel as change } from '../../../src/manage/networks/channels.ts';
import { etagOf, type ManagementHandler } from '../operation.ts';
import { writtenChannel } from './written.ts';

export const updateChannel: ManagementHandler<'updateChannel'> = async (
  { path, body, version, reply },
  management,
) => {
  const changed = await change(management, path.channelName, body, version);
  return reply(200, writtenChannel(changed), etagOf(changed));
};
