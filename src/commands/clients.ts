/** Commands for clients: the programs of a team that ask for tokens. */
import { parseBlock } from '../clients/address-list.ts';
import type { Client } from '../clients/client.ts';
import { createClientRepository } from '../clients/repository.ts';
import { generateClientSecret, generateSigningSecret, type Secrets } from '../clients/secrets.ts';
import { loadDocument, scopesOf } from '../http/document.ts';
import { CommandError, type Context, command, UsageError } from './command.ts';
import { listByTeam, requireTeam } from './teams.ts';

const client = { client: 'id of the client' };
const allScopes = () => scopesOf(loadDocument());
const shownOnce = 'Secrets are shown once: keep them now.';

/** Secrets are newest first; two are valid while one replaces the other. */
const mostSecrets = 2;

export const clientCommands = [
  command({
    words: 'client add',
    about: 'add a client and show its secrets',
    positionals: { client: 'id of the new client' },
    options: {
      team: { kind: 'text', about: 'whose it is', required: true },
      name: { kind: 'text', about: 'how people call it; by default its id' },
      scope: {
        kind: 'list',
        about: 'what it may do; by default everything',
        // Read when it is asked for: most commands need no document.
        get choices() {
          return allScopes();
        },
      },
      address: { kind: 'list', about: 'IP address or CIDR block it may call from; by default any' },
    },
    async run({ client: id, team, name, scope, address }, context) {
      const wrong = address.filter((one) => parseBlock(one) === undefined);
      if (wrong.length > 0)
        throw new UsageError(wrong.map((one) => `--address ${one} is no IP address or CIDR block`));
      const database = await context.database();
      await requireTeam(database, team);
      const secrets = await context.secrets();
      const clientSecret = generateClientSecret();
      const signingSecret = generateSigningSecret();
      const inserted = await createClientRepository(database.knex).insertClient({
        id,
        teamId: team,
        name: name ?? id,
        secretHashes: [secrets.hash(clientSecret)],
        signingSecrets: [secrets.encrypt(signingSecret)],
        scopes: scope.length > 0 ? scope : allScopes(),
        allowedAddresses: address,
        enabled: true,
      });
      if (!inserted) throw new CommandError(`there is a client ${id} already`);
      return { one: { clientId: id, clientSecret, signingSecret }, note: shownOnce };
    },
  }),
  listByTeam('client list', 'list the clients', async ({ knex }, team) =>
    (await createClientRepository(knex).listClients(team)).map(summaryOf),
  ),
  command({
    words: 'client rotate',
    about: 'give a client a new secret; the former stays valid until client revoke --former',
    positionals: client,
    options: {
      'signing-secret': {
        kind: 'flag',
        about: 'the one that signs its callbacks, not the one it signs in with',
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
    about: 'shut a client out, or withdraw its former secrets',
    positionals: client,
    options: { former: { kind: 'flag', about: 'only its former secrets; the newest stay valid' } },
    async run({ client: id, former }, context) {
      const changed = await change(context, id, (found) =>
        former
          ? {
              ...found,
              secretHashes: found.secretHashes.slice(0, 1),
              signingSecrets: found.signingSecrets.slice(0, 1),
            }
          : { ...found, enabled: false },
      );
      return { one: summaryOf(changed) };
    },
  }),
  command({
    words: 'client restore',
    about: 'let a client in again that was shut out',
    positionals: client,
    async run({ client: id }, context) {
      return { one: summaryOf(await change(context, id, (found) => ({ ...found, enabled: true }))) };
    },
  }),
];

function rotated(found: Client, secret: string, signing: boolean, secrets: Secrets): Client {
  const newest = (kept: string, former: readonly string[]) => [kept, ...former].slice(0, mostSecrets);
  return signing
    ? { ...found, signingSecrets: newest(secrets.encrypt(secret), found.signingSecrets) }
    : { ...found, secretHashes: newest(secrets.hash(secret), found.secretHashes) };
}

async function change(context: Context, id: string, how: (client: Client) => Client): Promise<Client> {
  const { knex } = await context.database();
  const changed = await createClientRepository(knex).updateClient(id, how);
  if (changed === undefined) throw new CommandError(`there is no client ${id}`);
  return changed;
}

function summaryOf({ id, teamId, name, scopes, allowedAddresses, enabled, ...secrets }: Client) {
  return {
    client: id,
    team: teamId,
    name,
    enabled,
    scopes,
    addresses: allowedAddresses,
    clientSecrets: secrets.secretHashes.length,
    signingSecrets: secrets.signingSecrets.length,
  };
}
