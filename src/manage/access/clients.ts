/** Manages clients: the programs of a team that call the API. */
import { parseBlock } from '../../clients/address-list.ts';
import type { Client } from '../../clients/client.ts';
import { createClientRepository } from '../../clients/repository.ts';
import { generateClientSecret, generateSigningSecret, placeOf } from '../../clients/secrets.ts';
import { isWebOrigin } from '../../clients/web-origins.ts';
import { type Fault, faults, requireNone } from '../../errors/management.ts';
import { isHttpUrl } from '../../text/url.ts';
import type { Management, TeamPage } from '../management.ts';
import { changeResource, createResource, getResource, listedTeam, type ResourceKind } from '../resource.ts';
import { rangeFaults, ranges, rules, textFaults } from '../rules.ts';

/** A client without its secrets. */
export interface ClientView extends Omit<Client, 'secretHashes' | 'signingSecrets' | 'tokensValidFromMs'> {
  /** How many are valid. */
  clientSecrets: number;
  signingSecrets: number;
  /** Tokens from before are invalid. */
  tokensValidFrom: Date;
}

/** Shown once: the database does not keep them in a readable form. */
export interface NewSecrets {
  /** Not for a client whose tokens come from another issuer. */
  clientSecret?: string;
  signingSecret?: string;
}

export const clientKind: ResourceKind<Client, ClientView> = {
  noun: 'client',
  table: 'clients',
  key: 'id',
  find: (knex, id) => createClientRepository(knex).findClient(id),
  teamOf: ({ teamId }) => teamId,
  view: ({ secretHashes, signingSecrets, tokensValidFromMs, ...client }) => ({
    ...client,
    clientSecrets: secretHashes.length,
    signingSecrets: signingSecrets.length,
    tokensValidFrom: new Date(tokensValidFromMs),
  }),
};

export interface NewClient {
  id: string;
  teamId: string;
  /** The id if omitted. */
  name?: string | undefined;
  scopes?: readonly string[] | undefined;
  allowedAddresses?: readonly string[] | undefined;
  webOrigins?: readonly string[] | undefined;
  /** The trusted issuer of its tokens; null: this service. */
  issuer?: string | null | undefined;
}

/** The scopes that a client may have. They come from the OpenAPI document. */
export type KnownScopes = readonly string[];

export async function createClient(
  management: Management,
  knownScopes: KnownScopes,
  { id, teamId, name = id, scopes = [], allowedAddresses = [], webOrigins = [], issuer = null }: NewClient,
): Promise<{ client: ClientView; secrets: NewSecrets }> {
  const clientSecret = generateClientSecret();
  const signingSecret = generateSigningSecret();
  const edit = { name, scopes, allowedAddresses, webOrigins };
  const keys = await management.secrets();
  const client = await createResource(management, clientKind, {
    id,
    team: teamId,
    faults: [
      ...editFaults(edit, knownScopes),
      ...(issuer === null || isHttpUrl(issuer) ? [] : [faults.fieldRule('issuer', 'an http or https URL')]),
    ],
    insert: (trx) =>
      createClientRepository(trx).insertClient({
        id,
        teamId,
        ...edit,
        scopes: inOrder(scopes, knownScopes),
        secretHashes: issuer === null ? [keys.hash(clientSecret)] : [],
        signingSecrets: [keys.encrypt(signingSecret, placeOf.signingSecret(id))],
        enabled: true,
        issuer,
        tokensValidFromMs: management.clock.now(),
        ratePerSecond: null,
      }),
  });
  return { client, secrets: issuer === null ? { clientSecret, signingSecret } : { signingSecret } };
}

export async function getClient(management: Management, id: string): Promise<ClientView> {
  return clientKind.view(await getResource(management, clientKind, id));
}

export interface ClientEdit {
  name?: string | undefined;
  scopes?: readonly string[] | undefined;
  /** Empty: any. */
  allowedAddresses?: readonly string[] | undefined;
  /** Empty: none. */
  webOrigins?: readonly string[] | undefined;
  /** Recipients per second in each operation, within the limit of its team; null: that limit alone. */
  ratePerSecond?: number | null | undefined;
}

/** Takes effect within 5 s. */
export async function changeClient(
  management: Management,
  knownScopes: KnownScopes,
  id: string,
  edit: ClientEdit,
  version?: string,
): Promise<ClientView> {
  requireNone(editFaults(edit, knownScopes));
  return changeResource(management, clientKind, id, { action: 'change', version }, (before, trx) =>
    createClientRepository(trx).updateClient({
      ...before,
      name: edit.name ?? before.name,
      scopes: edit.scopes === undefined ? before.scopes : inOrder(edit.scopes, knownScopes),
      allowedAddresses: edit.allowedAddresses ?? before.allowedAddresses,
      webOrigins: edit.webOrigins ?? before.webOrigins,
      ratePerSecond: edit.ratePerSecond === undefined ? before.ratePerSecond : edit.ratePerSecond,
    }),
  );
}

export async function listClients(
  management: Management,
  { team, ...page }: TeamPage = {},
): Promise<ClientView[]> {
  const teamId = await listedTeam(management, team);
  const clients = await createClientRepository(management.knex).listClients({ teamId, ...page });
  return clients.map(clientKind.view);
}

/** Tokens list scopes in the order of the document. */
function inOrder(scopes: readonly string[], knownScopes: KnownScopes): string[] {
  return knownScopes.filter((scope) => scopes.includes(scope));
}

function editFaults(edit: ClientEdit, knownScopes: KnownScopes): Fault[] {
  const { name, scopes = [], allowedAddresses = [], webOrigins = [], ratePerSecond } = edit;
  return [
    ...textFaults('name', name, rules.name),
    ...(scopes.every((scope) => knownScopes.includes(scope))
      ? []
      : [faults.fieldRule('scopes', `one of ${knownScopes.join(', ')}`)]),
    ...allowedAddresses
      .filter((address) => parseBlock(address) === undefined)
      .map((address) => faults.notAnAddress('allowedAddresses', address)),
    ...webOrigins
      .filter((origin) => !isWebOrigin(origin))
      .map((origin) => faults.notAWebOrigin('webOrigins', origin)),
    ...rangeFaults('ratePerSecond', ratePerSecond, ranges.ratePerSecond),
  ];
}
