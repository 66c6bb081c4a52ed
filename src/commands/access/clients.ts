/** Commands for clients: the programs of a team that call the API. */
import { loadDocument, scopesOf } from '../../http/contract/document.ts';
import {
  restoreClient,
  revokeClient,
  revokeFormerSecrets,
  rotateClientSecret,
} from '../../manage/access/client-secrets.ts';
import { type ClientView, changeClient, createClient, listClients } from '../../manage/access/clients.ts';
import { CommandError, command, UsageError } from '../line/command.ts';
import { listByTeam } from '../line/list-by-team.ts';
import { chosenRate, rateOptions } from './rate.ts';

const client = { client: 'id of the client' };
let known: string[] | undefined;
const allScopes = () => {
  known ??= scopesOf(loadDocument());
  return known;
};
const shownOnce = 'Secrets are shown only once: store them now.';
const noScope = (id: string) => `The client has no scopes yet: tarishi client set ${id} --scope …`;

const scope = {
  kind: 'list',
  about: 'allowed scope; default: none',
  // Loaded on demand: most commands do not need the OpenAPI document.
  get choices() {
    return allScopes();
  },
} as const;

const address = {
  kind: 'list',
  about: 'IP address or CIDR block that it may call from; default: any',
} as const;

const origin = {
  kind: 'list',
  about: 'web origin whose pages may call the API, such as https://shop.example.com; default: none',
} as const;

export const clientCommands = [
  command({
    words: 'client add',
    about: 'add a client and show its secrets',
    positionals: { client: 'id of the new client' },
    options: {
      team: { kind: 'text', about: 'owning team', required: true },
      name: { kind: 'text', about: 'display name; default: the id' },
      scope,
      address,
      origin,
      issuer: {
        kind: 'text',
        about: 'trusted issuer of its tokens (TRUSTED_ISSUERS); default: this service',
      },
    },
    async run({ client: id, team, name, scope, address, origin, issuer }, context) {
      const { secrets } = await createClient(await context.management(), allScopes(), {
        id,
        teamId: team,
        name,
        scopes: scope,
        allowedAddresses: address,
        webOrigins: origin,
        issuer: issuer ?? null,
      });
      const note = scope.length > 0 ? shownOnce : `${shownOnce} ${noScope(id)}`;
      return { one: { clientId: id, ...secrets }, note };
    },
  }),
  listByTeam('client list', 'list the clients', async (management, filter) =>
    (await listClients(management, filter)).map(summaryOf),
  ),
  command({
    words: 'client set',
    about: 'change a client; options that you omit stay unchanged; takes effect within 5 s',
    positionals: client,
    options: {
      scope: { ...scope, about: 'allowed scope; replaces the current list' },
      address: {
        ...address,
        about: 'IP address or CIDR block that it may call from; replaces the current list',
      },
      'any-address': { kind: 'flag', about: 'allow calls from any address' },
      origin: { ...origin, about: 'web origin whose pages may call the API; replaces the current list' },
      'no-origin': { kind: 'flag', about: 'allow no web origin' },
      ...rateOptions('recipients per second in each operation, within the limit of its team'),
      name: { kind: 'text', about: 'display name' },
    },
    async run({ client: id, scope, address, 'any-address': anywhere, name, ...others }, context) {
      const { origin, 'no-origin': noPage, ...rate } = others;
      const clashes = [
        ...(anywhere && address.length > 0 ? ['--address and --any-address cannot be combined'] : []),
        ...(noPage && origin.length > 0 ? ['--origin and --no-origin cannot be combined'] : []),
      ];
      if (clashes.length > 0) throw new UsageError(clashes);
      const ratePerSecond = chosenRate(rate);
      const edit = {
        name,
        scopes: scope.length > 0 ? scope : undefined,
        allowedAddresses: anywhere || address.length > 0 ? address : undefined,
        webOrigins: noPage || origin.length > 0 ? origin : undefined,
        ratePerSecond,
      };
      if (Object.values(edit).every((value) => value === undefined))
        throw new CommandError('nothing to change: see tarishi client set --help');
      return { one: summaryOf(await changeClient(await context.management(), allScopes(), id, edit)) };
    },
  }),
  command({
    words: 'client rotate',
    about: 'give a client a new secret; the former one stays valid until client revoke --former',
    positionals: client,
    options: {
      'signing-secret': {
        kind: 'flag',
        about: 'rotate the secret that signs its callbacks instead of the client secret',
      },
    },
    async run({ client: id, 'signing-secret': signing }, context) {
      const which = signing ? 'signing' : 'client';
      const { secrets } = await rotateClientSecret(await context.management(), id, which);
      return { one: { clientId: id, ...secrets }, note: shownOnce };
    },
  }),
  command({
    words: 'client revoke',
    about: 'disable a client, or withdraw its former secrets; its tokens become invalid within 5 s',
    positionals: client,
    options: { former: { kind: 'flag', about: 'withdraw only its former secrets; the newest stay valid' } },
    async run({ client: id, former }, context) {
      const revoke = former ? revokeFormerSecrets : revokeClient;
      return { one: summaryOf(await revoke(await context.management(), id)) };
    },
  }),
  command({
    words: 'client restore',
    about: 'enable a disabled client; it needs a new token',
    positionals: client,
    async run({ client: id }, context) {
      return { one: summaryOf(await restoreClient(await context.management(), id)) };
    },
  }),
];

function summaryOf({ id, teamId, name, enabled, scopes, allowedAddresses, webOrigins, ...rest }: ClientView) {
  const { issuer, ratePerSecond, clientSecrets, signingSecrets } = rest;
  return {
    client: id,
    team: teamId,
    name,
    enabled,
    scopes,
    addresses: allowedAddresses,
    origins: webOrigins,
    issuer,
    rate: ratePerSecond,
    clientSecrets,
    signingSecrets,
  };
}
