/** Searches the messages of the caller's team. */
import { createList } from '../src/read/lists.ts';
import { readMessages } from '../src/read/messages/message-repository.ts';
import type { ServiceHandler } from './service.ts';

export const listMessages: ServiceHandler<'listMessages'> = async ({ caller, query, reply }, service) => {
  const read = createList(service.secrets, 'messages', readMessages(service.knex));
  return reply(200, await read(caller.teamId, service.checkMessageSearch(query), query));
};
