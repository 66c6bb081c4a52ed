/** Has many receipts of a team posted again, with the same webhook-ids. */
import { replayReceipts as replay } from '../../../src/manage/operation/receipts.ts';
import { instantOf, type ManagementHandler, ownerOf } from '../operation.ts';

/** Total over what the body can ask for. */
const whichBy = { Exhausted: 'exhausted', All: 'all' } as const;

export const replayReceipts: ManagementHandler<'replayReceipts'> = async (
  { caller, body, reply },
  management,
) => {
  const team = ownerOf(body, caller);
  const { since, which } = body;
  const receipts = await replay(management, { team, since: instantOf(since), which: whichBy[which] });
  return reply(200, { receipts });
};
