/** Lists the services of the caller's team. */
import type { Handler } from '../src/http/contract/operation.ts';
import type { ReadPage } from '../src/reading/lists.ts';
import type { Service } from '../src/reading/resource-repository.ts';

export function listServices(read: ReadPage<object, Service>): Handler<'listServices'> {
  return async ({ caller, query, reply }) => reply(200, await read(caller.teamId, {}, query));
}
