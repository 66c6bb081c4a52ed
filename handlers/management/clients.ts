/** Clients and their secrets. */

import * as clientSecrets from '../../src/manage/access/client-secrets.ts';
import { clients, createClient as create } from '../../src/manage/access/clients.ts';
import { etagOf, headersOfNew, type ManagementHandler, ownerOf, wire } from './operation.ts';
import { changes, gets, lists } from './resource.ts';

export const listClients = lists('listClients', clients);

/** Adds a client, with its first secrets. */
export const createClient: ManagementHandler<'createClient'> = async (
  { body, caller, reply },
  management,
) => {
  const { client, secrets } = await create(management, {
    ...body,
    teamId: ownerOf(body, caller),
  });
  return reply(201, { client: wire(client), ...secrets }, headersOfNew(client, '/clients/', client.id));
};

export const getClient = gets('getClient', clients, 'clientId');
export const updateClient = changes('updateClient', clients, 'clientId');

/** Gives a client a new secret. */
export const rotateClientSecret: ManagementHandler<'rotateClientSecret'> = async (
  { path, body, reply },
  management,
) => {
  const { client, secrets } = await clientSecrets.rotateClientSecret(management, path.clientId, body.secret);
  return reply(200, { client: wire(client), ...secrets }, etagOf(client));
};

/** Withdraws the former secrets of a client. */
export const revokeFormerClientSecrets: ManagementHandler<'revokeFormerClientSecrets'> = async (
  { path, reply },
  management,
) => {
  const changed = await clientSecrets.revokeFormerSecrets(management, path.clientId);
  return reply(200, wire(changed), etagOf(changed));
};

/** Disables a client. */
export const revokeClient: ManagementHandler<'revokeClient'> = async ({ path, reply }, management) => {
  const changed = await clientSecrets.revokeClient(management, path.clientId);
  return reply(200, wire(changed), etagOf(changed));
};

/** Enables a disabled client. */
export const restoreClient: ManagementHandler<'restoreClient'> = async ({ path, reply }, management) => {
  const changed = await clientSecrets.restoreClient(management, path.clientId);
  return reply(200, wire(changed), etagOf(changed));
};
