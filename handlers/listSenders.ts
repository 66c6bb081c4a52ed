/** Lists the senders of the caller's team. */
import { createList } from '../src/read/lists.ts';
import { readSenders } from '../src/read/resource-repository.ts';
import type { ServiceHandler } from './service.ts';

export const listSenders: ServiceHandler<'listSenders'> = async ({ caller, query, reply }, service) => {
  const read = createList(service.secrets, 'senders', readSenders(service.knex));
  return reply(200, await read(caller.teamId, {}, query));
};
