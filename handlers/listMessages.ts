/** Searches the messages of the caller's team. */
import type { Handler } from '../src/http/contract/operation.ts';
import type { ReadPage } from '../src/reading/lists.ts';
import type { Message } from '../src/reading/message.ts';
import type { MessageFilter } from '../src/reading/message-repository.ts';
import type { CheckSearch } from '../src/reading/message-search.ts';

export function listMessages(
  read: ReadPage<MessageFilter, Message>,
  check: CheckSearch,
): Handler<'listMessages'> {
  return async ({ caller, query, reply }) => reply(200, await read(caller.teamId, check(query), query));
}
