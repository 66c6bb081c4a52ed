/** Shows one campaign of the caller's team. */
import { getCampaign as get } from '../src/read/resource-repository.ts';
import type { ServiceHandler } from './service.ts';

export const getCampaign: ServiceHandler<'getCampaign'> = async ({ caller, path, reply }, service) =>
  reply(200, await get(service.knex, caller.teamId, path.campaignId));
