/** Lists the messages of one request of the caller's team. */
import type { Handler } from '../src/http/contract/operation.ts';
import type { ReadPage } from '../src/reading/lists.ts';
import type { Message } from '../src/reading/message.ts';

export function listRequestMessages(
  read: ReadPage<{ requestId: string }, Message>,
): Handler<'listRequestMessages'> {
  return async ({ caller, path, query, reply }) =>
    reply(200, await read(caller.teamId, { requestId: path.requestId }, query));
}
