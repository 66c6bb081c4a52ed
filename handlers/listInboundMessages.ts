/** Lists what people sent to the senders of the caller's team. */
import { readInbound } from '../src/read/inbound-repository.ts';
import { createList } from '../src/read/lists.ts';
import type { ServiceHandler } from './service.ts';

export const listInboundMessages: ServiceHandler<'listInboundMessages'> = async (
  { caller, query, reply },
  service,
) => {
  const read = createList(service.secrets, 'inbound messages', readInbound(service.knex));
  const { phone, phoneHash, from, to } = service.checkMessageSearch(query);
  return reply(200, await read(caller.teamId, { phone, phoneHash, from, to }, query));
};
