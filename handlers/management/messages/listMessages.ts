/** Searches messages, newest first. */
import { listMessages as list } from '../../../src/manage/operation/messages.ts';
import { instantOf, type ManagementHandler, pageOfSlices } from '../operation.ts';

export const listMessages: ManagementHandler<'listMessages'> = async ({ query, reply }, management) => {
  const { teamId: team, clientId: client, serviceId: resource, phone, correlator, state, channel } = query;
  const period = { from: instantOf(query.from), to: instantOf(query.to) };
  const filter = { team, client, resource, phone, correlator, state, channel, ...period };
  const page = await pageOfSlices('listMessages', query, management, (part) =>
    list(management, filter, part),
  );
  return reply(200, page);
};
