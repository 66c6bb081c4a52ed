/** Lists requests, newest first. */
import { listRequests as list } from '../../../src/manage/operation/messages.ts';
import { instantOf, type ManagementHandler, pageOfSlices } from '../operation.ts';

export const listRequests: ManagementHandler<'listRequests'> = async ({ query, reply }, management) => {
  const { teamId: team, clientId: client, serviceId: resource, correlator } = query;
  const period = { from: instantOf(query.from), to: instantOf(query.to) };
  const filter = { team, client, resource, correlator, ...period };
  const page = await pageOfSlices('listRequests', query, management, (part) =>
    list(management, filter, part),
  );
  return reply(200, page);
};
