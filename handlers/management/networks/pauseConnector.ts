/** Pauses a connector. */
import { pauseConnector as pause } from '../../../src/manage/networks/connectors.ts';
import { etagOf, type ManagementHandler } from '../operation.ts';
import { stateOf } from './written.ts';

export const pauseConnector: ManagementHandler<'pauseConnector'> = async (
  { path, body, reply },
  management,
) => {
  const connector = await pause(management, path.connectorName, body);
  return reply(200, await stateOf(management, connector), etagOf(connector));
};
