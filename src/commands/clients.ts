/** Commands for clients: the programs of a team that call the API. */
import { parseBlock } from '../clients/address-list.ts';
import type { Client } from '../clients/client.ts';
import { createClientRepository } from '../clients/repository.ts';
import { generateClientSecret, generateSigningSecret, placeOf, type Secrets } from '../clients/secrets.ts';
import { isWebOrigin } from '../clients/web-origins.ts';
import { systemClock } from '../clock.ts';
import { loadDocument, scopesOf } from '../http/contract/document.ts';
import { isHttpUrl } from '../text/url.ts';
import { CommandError, type Context, command, UsageError } from './command.ts';
import { chosenRate, rateOptions } from './rate.ts';
import { listByTeam, requireTeam } from './teams.ts';

const client = { client: 'id of the client' };
const allScopes = () => scopesOf(loadDocument());
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

/** Secrets are newest first; two are valid during a rotation. */
const mostSecrets = 2;

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
      requireBlocks(address);
      requireOrigins(origin);
      if (issuer !== undefined && !isHttpUrl(issuer))
        throw new UsageError(['--issuer must be an http or https URL']);
      const database = await context.database();
      await requireTeam(database, team);
      const secrets = await context.secrets();
      const clientSecret = generateClientSecret();
      const signingSecret = generateSigningSecret();
      const inserted = await createClientRepository(database.knex).insertClient({
        id,
        teamId: team,
        name: name ?? id,
        // A client of another issuer cannot get tokens here.
        secretHashes: issuer === undefined ? [secrets.hash(clientSecret)] : [],
        signingSecrets: [secrets.encrypt(signingSecret, placeOf.signingSecret(id))],
        scopes: scope,
        allowedAddresses: address,
        enabled: true,
        webOrigins: origin,
        issuer: issuer ?? null,
        tokensValidFromMs: systemClock.now(),
        ratePerSecond: null,
      });
      if (!inserted) throw new CommandError(`client ${id} already exists`);
      const shown = issuer === undefined ? { clientSecret, signingSecret } : { signingSecret };
      const note = scope.length > 0 ? shownOnce : `${shownOnce} ${noScope(id)}`;
      return { one: { clientId: id, ...shown }, note };
    },
  }),
  listByTeam('client list', 'list the clients', async ({ knex }, team) =>
    (await createClientRepository(knex).listClients(team)).map(summaryOf),
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
      requireBlocks(address);
      requireOrigins(origin);
      if (noPage && origin.length > 0) throw new UsageError(['--origin and --no-origin cannot be combined']);
      if (anywhere && address.length > 0)
        throw new UsageError(['--address and --any-address cannot be combined']);
      const ratePerSecond = chosenRate(rate);
      const lists = scope.length + address.length + origin.length;
      const given = lists > 0 || anywhere || noPage || name !== undefined;
      if (!given && ratePerSecond === undefined)
        throw new CommandError('nothing to change: see tarishi client set --help');
      const changed = await change(context, id, (found) => ({
        ...found,
        name: name ?? found.name,
        scopes: scope.length > 0 ? allScopes().filter((one) => scope.includes(one)) : found.scopes,
        allowedAddresses: anywhere || address.length > 0 ? address : found.allowedAddresses,
        webOrigins: noPage || origin.length > 0 ? origin : found.webOrigins,
        ratePerSecond: ratePerSecond === undefined ? found.ratePerSecond : ratePerSecond,
      }));
      return { one: summaryOf(changed) };
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
      const secrets = await context.secrets();
      const secret = signing ? generateSigningSecret() : generateClientSecret();
      await change(context, id, (found) => rotated(found, secret, signing, secrets));
      return {
        one: { clientId: id, [signing ? 'signingSecret' : 'clientSecret']: secret },
        note: shownOnce,
      };
    },
  }),
  command({
    words: 'client revoke',
    about: 'disable a client, or withdraw its former secrets; its tokens become invalid within 5 s',
    positionals: client,
    options: { former: { kind: 'flag', about: 'withdraw only its former secrets; the newest stay valid' } },
    async run({ client: id, former }, context) {
      const changed = await change(context, id, (found) =>
        former
          ? withSecrets(found, found.secretHashes.slice(0, 1), found.signingSecrets.slice(0, 1))
          : { ...withoutTokens(found), enabled: false },
      );
      return { one: summaryOf(changed) };
    },
  }),
  command({
    words: 'client restore',
    about: 'enable a disabled client; it needs a new token',
    positionals: client,
    async run({ client: id }, context) {
      return {
        one: summaryOf(await change(context, id, (found) => ({ ...withoutTokens(found), enabled: true }))),
      };
    },
  }),
];

function rotated(found: Client, secret: string, signing: boolean, secrets: Secrets): Client {
  const newest = (kept: string, former: readonly string[]) => [kept, ...former].slice(0, mostSecrets);
  if (!signing)
    return withSecrets(found, newest(secrets.hash(secret), found.secretHashes), found.signingSecrets);
  const sealed = secrets.encrypt(secret, placeOf.signingSecret(found.id));
  return withSecrets(found, found.secretHashes, newest(sealed, found.signingSecrets));
}

/** Withdrawing a client secret ends tokens: it is unknown with which secret each was obtained. */
function withSecrets(
  found: Client,
  secretHashes: readonly string[],
  signingSecrets: readonly string[],
): Client {
  const withdrawn = found.secretHashes.some((hash) => !secretHashes.includes(hash));
  return { ...(withdrawn ? withoutTokens(found) : found), secretHashes, signingSecrets };
}

/** Ends all tokens issued so far, regardless of the clock. */
function withoutTokens(found: Client): Client {
  return { ...found, tokensValidFromMs: Math.max(systemClock.now(), found.tokensValidFromMs + 1) };
}

function requireBlocks(addresses: readonly string[]): void {
  const wrong = addresses.filter((one) => parseBlock(one) === undefined);
  if (wrong.length > 0)
    throw new UsageError(wrong.map((one) => `--address ${one} is not an IP address or CIDR block`));
}

function requireOrigins(origins: readonly string[]): void {
  const wrong = origins.filter((one) => !isWebOrigin(one));
  if (wrong.length > 0)
    throw new UsageError(
      wrong.map(
        (one) =>
          `--origin ${one} is not a web origin: scheme, host and port only, as in https://shop.example.com`,
      ),
    );
}

async function change(context: Context, id: string, how: (client: Client) => Client): Promise<Client> {
  const { knex } = await context.database();
  const changed = await createClientRepository(knex).updateClient(id, how);
  if (changed === undefined) throw new CommandError(`client ${id} does not exist`);
  return changed;
}

function summaryOf({
  id,
  teamId,
  name,
  scopes,
  allowedAddresses,
  webOrigins,
  issuer,
  enabled,
  ratePerSecond,
  ...secrets
}: Client) {
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
    clientSecrets: secrets.secretHashes.length,
    signingSecrets: secrets.signingSecrets.length,
  };
}
