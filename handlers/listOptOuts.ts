/** Lists who opted out of the messages of the caller's team. */
import { createList } from '../src/read/lists.ts';
import { readOptOuts } from '../src/read/opt-outs.ts';
import type { ServiceHandler } from './service.ts';

export const listOptOuts: ServiceHandler<'listOptOuts'> = async ({ caller, query, reply }, service) => {
  const { phone, ...page } = query;
  const phoneHash = phone === undefined ? undefined : service.optOuts.hashOf(phone);
  const read = createList(service.secrets, 'opt-outs', readOptOuts(service.optOuts.list));
  return reply(200, await read(caller.teamId, { phoneHash }, page));
};
