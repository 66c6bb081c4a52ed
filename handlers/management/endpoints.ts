/** Callback endpoints that fail. */
import * as endpoints from '../../src/manage/operation/endpoints.ts';
import { type ManagementHandler, ownerOf, pageOfSlices, wire } from './operation.ts';

/** Lists callback endpoints that fail. */
export const listEndpoints: ManagementHandler<'listEndpoints'> = async ({ query, reply }, management) => {
  const page = await pageOfSlices('listEndpoints', query, management, async (part) => {
    const { items, end } = await endpoints.listEndpoints(management, query.teamId, part);
    return { items: items.map(wire), end };
  });
  return reply(200, page);
};

/** Shows a callback endpoint, and whether it fails. */
export const getEndpoint: ManagementHandler<'getEndpoint'> = async ({ path, reply }, management) =>
  reply(200, wire(await endpoints.showEndpoint(management, path.teamId, path.endpointKey)));

/** Has the receipts posted that wait for an endpoint. */
export const releaseEndpoint: ManagementHandler<'releaseEndpoint'> = async (
  { caller, body, reply },
  management,
) => {
  const receipts = await endpoints.releaseEndpoint(management, {
    team: ownerOf(body, caller),
    origin: body.origin,
  });
  return reply(200, { receipts });
};
