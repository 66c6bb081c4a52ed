/** Disables a client. */
import { revokeClient as change } from '../../../src/manage/access/client-secrets.ts';
import { etagOf, type ManagementHandler, wire } from '../operation.ts';

export const revokeClient: ManagementHandler<'revokeClient'> = async ({ path, reply }, management) => {
  const changed = await change(management, path.clientId);
  return reply(200, wire(changed), etagOf(changed));
};
