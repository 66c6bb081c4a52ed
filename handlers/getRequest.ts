/** Shows one request of the caller's team. */
import { getRequest as get } from '../src/read/messages/request-repository.ts';
import type { ServiceHandler } from './service.ts';

export const getRequest: ServiceHandler<'getRequest'> = async ({ caller, path, reply }, service) =>
  reply(200, await get(service.knex, caller.teamId, path.requestId));
