/** Lists the templates of the caller's team. */
import type { Handler } from '../src/http/contract/operation.ts';
import type { ReadPage } from '../src/reading/lists.ts';
import type { Template } from '../src/reading/resource-repository.ts';

export function listTemplates(read: ReadPage<object, Template>): Handler<'listTemplates'> {
  return async ({ caller, query, reply }) => reply(200, await read(caller.teamId, {}, query));
}
