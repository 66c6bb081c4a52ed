/** Resumes a connector. */
import { resumeConnector as resume } from '../../../src/manage/networks/connectors.ts';
import { etagOf, type ManagementHandler } from '../operation.ts';
import { stateOf } from './written.ts';

export const resumeConnector: ManagementHandler<'resumeConnector'> = async ({ path, reply }, management) => {
  const connector = await resume(management, path.connectorName);
  return reply(200, await stateOf(management, connector), etagOf(connector));
};
