/** Changes the settings or secrets of a connector. */
import { changeConnector as change } from '../../../src/manage/networks/connectors.ts';
import { etagOf, type ManagementHandler } from '../operation.ts';
import { stateOf } from './written.ts';

export const updateConnector: ManagementHandler<'updateConnector'> = async (
  { path, body, version, reply },
  management,
) => {
  const connector = await change(management, path.connectorName, body, version);
  return reply(200, await stateOf(management, connector), etagOf(connector));
};
