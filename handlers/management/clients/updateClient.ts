/** Changes a client. */
import { changeClient as change } from '../../../src/manage/access/clients.ts';
import { etagOf, type ManagementHandler, wire } from '../operation.ts';

export const updateClient: ManagementHandler<'updateClient'> = async (
  { path, body, version, scopes, reply },
  management,
) => {
  const changed = await change(management, scopes, path.clientId, body, version);
  return reply(200, wire(changed), etagOf(changed));
};
