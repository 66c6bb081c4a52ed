/** Adds a client, with its first secrets. */
import { createClient as create } from '../../../src/manage/access/clients.ts';
import { etagOf, type ManagementHandler, ownerOf, wire } from '../operation.ts';

export const createClient: ManagementHandler<'createClient'> = async (
  { body, caller, scopes, reply },
  management,
) => {
  const { client, secrets } = await create(management, scopes, { ...body, teamId: ownerOf(body, caller) });
  return reply(201, { client: wire(client), ...secrets }, etagOf(client));
};
