/** The client credentials grant (RFC 6749, 4.4): who gets a token, and with which scopes. */
import { errors } from '../platform/errors.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import { addressAllowed } from './address-list.ts';
import type { FindClient } from './authentication.ts';
import type { Client } from './client.ts';
import type { IssuedToken, Tokens } from './tokens.ts';

/** A token request: the form as its schema left it, and the Authorization header. */
export interface TokenRequest {
  form: { grant_type: string; client_id?: string; client_secret?: string; scope?: string };
  authorization?: string | undefined;
  /** The IP address of the caller; undefined: it is unknown. */
  address: string | undefined;
}

export interface GrantDependencies {
  /** Reads the client as it is now: a secret that was withdrawn must not work from a cache. */
  findClient: FindClient;
  secrets: Pick<Secrets, 'matches'>;
  tokens: Pick<Tokens, 'issue'>;
}

interface ClientCredentials {
  id: string;
  secret: string;
}

/** Rejects with `invalid_request`, `invalid_client`, `unsupported_grant_type` or `invalid_scope` (5.2). */
export async function grantToken(
  request: TokenRequest,
  dependencies: GrantDependencies,
): Promise<IssuedToken> {
  const { form } = request;
  const client = await authenticateClient(credentialsOf(request), request.address, dependencies);
  if (form.grant_type !== 'client_credentials') throw errors.unsupportedGrantType();
  return dependencies.tokens.issue(client, grantedScopes(form.scope, client));
}

/** Whatever is wrong with a client, the response and its cost are the same. */
async function authenticateClient(
  { id, secret }: ClientCredentials,
  address: string | undefined,
  { findClient, secrets }: GrantDependencies,
): Promise<Client> {
  const client = await findClient(id);
  const matches = secrets.matches(secret, client?.secretHashes ?? []);
  if (client === undefined) throw errors.invalidClient('unknown-client');
  if (!matches) throw errors.invalidClient('secret');
  if (!client.enabled) throw errors.invalidClient('client-disabled');
  if (!addressAllowed(address, client.allowedAddresses)) throw errors.invalidClient('address');
  return client;
}

/** From HTTP Basic or from the form, never from both (2.3). A parameter without a value is absent (3.2). */
function credentialsOf({ form, authorization }: Omit<TokenRequest, 'address'>): ClientCredentials {
  if (authorization === undefined) return wellFormed(form.client_id, form.client_secret);
  if (form.client_secret) throw errors.credentialsTwice();
  const basic = basicCredentials(authorization);
  if (form.client_id && form.client_id !== basic.id) throw errors.clientIdsDiffer();
  return basic;
}

/** RFC 6749, 2.3.1: both parts are form-urlencoded before they are joined by a colon. */
function basicCredentials(authorization: string): ClientCredentials {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1];
  const [id, ...secret] = Buffer.from(encoded ?? '', 'base64')
    .toString('utf8')
    .split(':');
  return wellFormed(formDecoded(id), formDecoded(secret.join(':')));
}

function formDecoded(text = ''): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** Printable ASCII only (RFC 6749, appendix A): the database cannot search for a NUL. */
function wellFormed(id = '', secret = ''): ClientCredentials {
  const grammar = /^[\x20-\x7e]{1,255}$/;
  if (!grammar.test(id) || !grammar.test(secret)) throw errors.invalidClient('malformed');
  return { id, secret };
}

/** In the client's order, each once; all of the client's when the request names none (3.3). */
function grantedScopes(requested = '', client: Client): readonly string[] {
  const names = requested.split(' ').filter((name) => name !== '');
  if (names.length === 0) return client.scopes;
  if (!names.every((name) => client.scopes.includes(name))) throw errors.invalidScope();
  return client.scopes.filter((name) => names.includes(name));
}
