/** Lists the balances of the caller's team. */
import { readBalances } from '../src/read/balance-repository.ts';
import { createList } from '../src/read/lists.ts';
import type { ServiceHandler } from './service.ts';

export const listBalances: ServiceHandler<'listBalances'> = async ({ caller, query, reply }, service) => {
  const read = createList(service.secrets, 'balances', readBalances(service.knex));
  return reply(200, await read(caller.teamId, {}, query));
};
