/** Removes a connector. */
import { removeConnector as remove } from '../../../src/manage/networks/connectors.ts';
import type { ManagementHandler } from '../operation.ts';

export const removeConnector: ManagementHandler<'removeConnector'> = async (
  { path, query, version, reply },
  management,
) => {
  await remove(management, path.connectorName, { abandon: query.abandon }, version);
  return reply(204);
};
