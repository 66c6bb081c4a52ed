/** Receipts and their attempts. */
import * as receipts from '../../src/manage/operation/receipts.ts';
import { instantOf, type ManagementHandler, ownerOf, pageOfSlices } from './operation.ts';

/** Lists receipts with their attempts, newest first. */
export const listReceipts: ManagementHandler<'listReceipts'> = async ({ query, reply }, management) => {
  const { teamId: team, requestId, state } = query;
  const filter = { team, requestId, state, from: instantOf(query.from), to: instantOf(query.to) };
  const page = await pageOfSlices('listReceipts', query, management, (part) =>
    receipts.listReceipts(management, filter, part),
  );
  return reply(200, page);
};

/** Has a receipt posted again, with the same webhook-id. */
export const resendReceipt: ManagementHandler<'resendReceipt'> = async ({ path, reply }, management) =>
  reply(200, await receipts.resendReceipt(management, path.receiptId));

/** Total over what the body can ask for. */
const whichBy = { Exhausted: 'exhausted', All: 'all' } as const;

/** Has many receipts of a team posted again, with the same webhook-ids. */
export const replayReceipts: ManagementHandler<'replayReceipts'> = async (
  { caller, body, reply },
  management,
) => {
  const team = ownerOf(body, caller);
  const { since, which } = body;
  return reply(
    200,
    await receipts.replayReceipts(management, { team, since: instantOf(since), which: whichBy[which] }),
  );
};
