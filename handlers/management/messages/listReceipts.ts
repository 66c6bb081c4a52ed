/** Lists receipts with their attempts, newest first. */
import { listReceipts as list } from '../../../src/manage/operation/receipts.ts';
import { instantOf, type ManagementHandler, pageOfSlices } from '../operation.ts';

export const listReceipts: ManagementHandler<'listReceipts'> = async ({ query, reply }, management) => {
  const { teamId: team, requestId, state } = query;
  const filter = { team, requestId, state, from: instantOf(query.from), to: instantOf(query.to) };
  const page = await pageOfSlices('listReceipts', query, management, (part) =>
    list(management, filter, part),
  );
  return reply(200, page);
};
