/** Shows one template of the caller's team. */
import { getTemplate as get } from '../src/read/resource-repository.ts';
import type { ServiceHandler } from './service.ts';

export const getTemplate: ServiceHandler<'getTemplate'> = async ({ caller, path, query, reply }, service) =>
  reply(200, await get(service.knex, caller.teamId, path.templateId, query.product));
