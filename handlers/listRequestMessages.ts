/** Lists the messages of one request of the caller's team. */
import { createList } from '../src/read/lists.ts';
import { readRequestMessages } from '../src/read/messages/request-repository.ts';
import type { ServiceHandler } from './service.ts';

export const listRequestMessages: ServiceHandler<'listRequestMessages'> = async (
  { caller, path, query, reply },
  service,
) => {
  const read = createList(service.secrets, 'request messages', readRequestMessages(service.knex));
  return reply(200, await read(caller.teamId, { requestId: path.requestId }, query));
};
