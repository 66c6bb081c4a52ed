/** Lists the templates of the caller's team. */
import { createList } from '../src/read/lists.ts';
import { readTemplates } from '../src/read/resource-repository.ts';
import type { ServiceHandler } from './service.ts';

export const listTemplates: ServiceHandler<'listTemplates'> = async ({ caller, query, reply }, service) => {
  const read = createList(service.secrets, 'templates', readTemplates(service.knex));
  return reply(200, await read(caller.teamId, {}, query));
};
