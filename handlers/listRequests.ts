/** Lists the requests of the caller's team. */
import { createList } from '../src/read/lists.ts';
import { readRequests } from '../src/read/messages/request-search-repository.ts';
import type { ServiceHandler } from './service.ts';

export const listRequests: ServiceHandler<'listRequests'> = async (
  { caller, query: { limit, cursor, ...search }, reply },
  service,
) => {
  const read = createList(service.secrets, 'requests', readRequests(service.knex, service.clock));
  return reply(200, await read(caller.teamId, search, { limit, cursor }));
};
