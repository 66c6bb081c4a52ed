/** Tests a connector without sending a message. */
import { testConnector as test } from '../../../src/manage/networks/test-connector.ts';
import type { ManagementHandler } from '../operation.ts';

export const testConnector: ManagementHandler<'testConnector'> = async ({ path, reply }, management) => {
  const { ok, problem } = await test(management, path.connectorName);
  return reply(200, { ok, problem });
};
