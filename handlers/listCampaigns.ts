/** Lists the campaigns of the caller's team. */
import type { Handler } from '../src/http/contract/operation.ts';
import type { ReadPage } from '../src/reading/lists.ts';
import type { Campaign } from '../src/reading/resource-repository.ts';

export function listCampaigns(read: ReadPage<object, Campaign>): Handler<'listCampaigns'> {
  return async ({ caller, query, reply }) => reply(200, await read(caller.teamId, {}, query));
}
