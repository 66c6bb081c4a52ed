/** Adds a connector. */
import { createConnector as create } from '../../../src/manage/networks/connectors.ts';
import { etagOf, type ManagementHandler } from '../operation.ts';
import { stateOf } from './written.ts';

export const createConnector: ManagementHandler<'createConnector'> = async ({ body, reply }, management) => {
  const connector = await create(management, body);
  return reply(201, await stateOf(management, connector), etagOf(connector));
};
