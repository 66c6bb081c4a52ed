/** Lists the accounts of a team. */
import { listAccounts as list } from '../../../src/manage/units/accounts.ts';
import { type ManagementHandler, wire } from '../operation.ts';

export const listAccounts: ManagementHandler<'listAccounts'> = async ({ path, reply }, management) => {
  return reply(200, { items: wire(await list(management, path.teamId)) });
};
