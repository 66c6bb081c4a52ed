/** Has the receipts posted that wait for an endpoint. */
import { releaseEndpoint as release } from '../../../src/manage/operation/endpoints.ts';
import { type ManagementHandler, ownerOf } from '../operation.ts';

export const releaseEndpoint: ManagementHandler<'releaseEndpoint'> = async (
  { caller, body, reply },
  management,
) => {
  const receipts = await release(management, { team: ownerOf(body, caller), origin: body.origin });
  return reply(200, { receipts });
};
