/** Lists the messages of a request, in its order. */
import { listRequestMessages as list } from '../../../src/manage/operation/messages.ts';
import { type ManagementHandler, pageOfSlices } from '../operation.ts';

export const listRequestMessages: ManagementHandler<'listRequestMessages'> = async (
  { path: { requestId }, query, reply },
  management,
) => {
  const page = await pageOfSlices('listRequestMessages', { ...query, requestId }, management, (part) =>
    list(management, requestId, part),
  );
  return reply(200, page);
};
