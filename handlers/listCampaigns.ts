/** Lists the campaigns of the caller's team. */
import { createList } from '../src/read/lists.ts';
import { readCampaigns } from '../src/read/resource-repository.ts';
import type { ServiceHandler } from './service.ts';

export const listCampaigns: ServiceHandler<'listCampaigns'> = async ({ caller, query, reply }, service) => {
  const read = createList(service.secrets, 'campaigns', readCampaigns(service.knex));
  return reply(200, await read(caller.teamId, {}, query));
};
