/** Has many receipts of the caller's team posted again. */
import type { BodyOf, Handler } from '../src/http/contract/operation.ts';
import { instantOf } from '../src/reading/period.ts';
import type { ReceiptLog } from '../src/reading/receipt.ts';

/** Total over what the body can ask for. */
const whichBy = { Exhausted: 'exhausted', All: 'all' } as const satisfies Record<
  BodyOf<'replayReceipts'>['which'],
  string
>;

export function replayReceipts(replay: ReceiptLog['replay']): Handler<'replayReceipts'> {
  return async ({ caller, body: { since, which }, reply }) => {
    const receipts = await replay(caller.teamId, { since: instantOf(since), which: whichBy[which] });
    return reply(200, { receipts });
  };
}
