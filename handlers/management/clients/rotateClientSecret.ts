/** Gives a client a new secret. */
import { rotateClientSecret as rotate } from '../../../src/manage/access/client-secrets.ts';
import { etagOf, type ManagementHandler, wire } from '../operation.ts';

export const rotateClientSecret: ManagementHandler<'rotateClientSecret'> = async (
  { path, body, reply },
  management,
) => {
  const { client, secrets } = await rotate(management, path.clientId, body.secret);
  return reply(200, { client: wire(client), ...secrets }, etagOf(client));
};
