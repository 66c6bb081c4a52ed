/** Shows one service of the caller's team. */
import { getService as get } from '../src/read/resource-repository.ts';
import type { ServiceHandler } from './service.ts';

export const getService: ServiceHandler<'getService'> = async ({ caller, path, query, reply }, service) =>
  reply(200, await get(service.knex, caller.teamId, path.serviceId, query.product));
