/** Lists callback endpoints that fail. */
import { listEndpoints as list } from '../../../src/manage/operation/endpoints.ts';
import { type ManagementHandler, pageOfSlices, wire } from '../operation.ts';

export const listEndpoints: ManagementHandler<'listEndpoints'> = async ({ query, reply }, management) => {
  const page = await pageOfSlices('listEndpoints', query, management, async (part) => {
    const { items, end } = await list(management, query.teamId, part);
    return { items: items.map(wire), end };
  });
  return reply(200, page);
};
