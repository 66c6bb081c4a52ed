/** Lists the services of the caller's team. */
import { createList } from '../src/read/lists.ts';
import { readServices } from '../src/read/resource-repository.ts';
import type { ServiceHandler } from './service.ts';

export const listServices: ServiceHandler<'listServices'> = async ({ caller, query, reply }, service) => {
  const read = createList(service.secrets, 'services', readServices(service.knex));
  return reply(200, await read(caller.teamId, {}, query));
};
