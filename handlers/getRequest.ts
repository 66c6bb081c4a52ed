/** Shows one request of the caller's team. */
import type { Handler } from '../src/http/contract/operation.ts';
import type { GetRequest } from '../src/reading/request-repository.ts';

export function getRequest(get: GetRequest): Handler<'getRequest'> {
  return async ({ caller, path, reply }) => reply(200, await get(caller.teamId, path.requestId));
}
