/** Lists the balances of the caller's team. */
import type { Handler } from '../src/http/contract/operation.ts';
import type { Balance } from '../src/reading/balance-repository.ts';
import type { ReadPage } from '../src/reading/lists.ts';

export function listBalances(read: ReadPage<object, Balance>): Handler<'listBalances'> {
  return async ({ caller, query, reply }) => reply(200, await read(caller.teamId, {}, query));
}
