/** Receipts and their attempts. */
import * as receipts from '../../src/manage/operation/receipts.ts';
import { instantOf, type ManagementHandler, ownerOf, pageOfSlices, wire } from './operation.ts';

/** Lists receipts with their attempts, newest first. */
export const listReceipts: ManagementHandler<'listReceipts'> = async ({ query, reply }, management) => {
  const { teamId: team, requestId, phone, idStart, state, origin } = query;
  const period = { from: instantOf(query.from), to: instantOf(query.to) };
  const filter = { team, requestId, phone, idStart, state, origin, ...period };
  const page = await pageOfSlices('listReceipts', query, management, (part) =>
    receipts.listReceipts(management, filter, part),
  );
  return reply(200, page);
};

/** Shows a receipt with its attempts. */
export const getReceipt: ManagementHandler<'getReceipt'> = async ({ path, reply }, management) =>
  reply(200, await receipts.showReceipt(management, path.receiptId));

/** Has a receipt posted again, with the same webhook-id. */
export const resendReceipt: ManagementHandler<'resendReceipt'> = async ({ path, reply }, management) =>
  reply(200, await receipts.resendReceipt(management, path.receiptId));

/** Total over what the body can ask for. */
const whichBy = { Exhausted: 'exhausted', All: 'all' } as const;

/** Has many receipts of a team posted again, with the same webhook-ids, or counts them. */
export const replayReceipts: ManagementHandler<'replayReceipts'> = async (
  { caller, body, reply },
  management,
) => {
  const { from, to, origin, which, dryRun, expected } = body;
  const replay = {
    team: ownerOf(body, caller),
    origin,
    which: whichBy[which],
    from: instantOf(from),
    to: instantOf(to),
  };
  const replayed = dryRun
    ? await receipts.countReplays(management, replay)
    : await receipts.replayReceipts(management, { ...replay, expected });
  return reply(200, wire(replayed));
};
