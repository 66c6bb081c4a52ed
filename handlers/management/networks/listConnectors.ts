/** Lists connectors with their condition. */
import { listConnectors as list } from '../../../src/manage/networks/connectors.ts';
import type { ManagementHandler } from '../operation.ts';
import { writtenConnector } from './written.ts';

export const listConnectors: ManagementHandler<'listConnectors'> = async ({ reply }, management) => {
  return reply(200, { items: (await list(management)).map(writtenConnector) });
};
