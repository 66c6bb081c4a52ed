/** Gets a connector with its condition. */
import { getConnector as get } from '../../../src/manage/networks/connectors.ts';
import { etagOf, type ManagementHandler } from '../operation.ts';
import { stateOf } from './written.ts';

export const getConnector: ManagementHandler<'getConnector'> = async ({ path, reply }, management) => {
  const connector = await get(management, path.connectorName);
  return reply(200, await stateOf(management, connector), etagOf(connector));
};
