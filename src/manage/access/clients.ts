/** Manages clients: the programs of a team that call the API. */
import { parseBlock } from '../../access/address-list.ts';
import { clientProperties } from '../../access/client.ts';
import { isWebOrigin } from '../../access/web-origins.ts';
import type { New } from '../../platform/db/rows.ts';
import { type Fault, faults } from '../../platform/errors/management.ts';
import { generateClientSecret, generateSigningSecret, placeOf } from '../../platform/secrets/secrets.ts';
import type { Management } from '../management.ts';
import { resource } from '../resource.ts';
import { nameFaults } from '../rules.ts';
import { limitFaults, limitProperties, settledCaps, shownCaps } from './own-limits.ts';

/** Shown once: the database does not keep them in a readable form. */
export interface NewSecrets {
  /** Not for a client whose tokens come from another issuer. */
  clientSecret?: string;
  signingSecret?: string;
}

/** A change takes effect within 5 s. */
export const clients = resource({
  noun: 'client',
  table: 'clients',
  key: 'id',
  owner: 'teamId',
  properties: { ...clientProperties, ...limitProperties },
  // Tokens list scopes in the order of the document.
  settle: ({ scopes, caps }, { management, before }) => ({
    ...settledCaps({ caps }, before),
    ...(scopes.every((scope) => management.scopes().includes(scope))
      ? { scopes: management.scopes().filter((scope) => scopes.includes(scope)) }
      : {}),
  }),
  check: (after, { management, before }) => [
    ...nameFaults(after.name),
    ...limitFaults(after),
    ...scopeFaults(management, after.scopes, before?.scopes),
    ...after.allowedAddresses
      .filter((address) => parseBlock(address) === undefined)
      .map((address) => faults.notAnAddress('allowedAddresses', address)),
    ...after.webOrigins
      .filter((origin) => !isWebOrigin(origin))
      .map((origin) => faults.notAWebOrigin('webOrigins', origin)),
    ...(before === undefined ? issuerFaults(management, after.issuer) : []),
  ],
  view: ({ secretHashes, signingSecrets, tokensValidFromMs, ...client }) => ({
    ...client,
    ...shownCaps(client),
    /** How many are valid. */
    clientSecrets: secretHashes.length,
    signingSecrets: signingSecrets.length,
    /** Tokens from before are invalid. */
    tokensValidFrom: new Date(tokensValidFromMs),
  }),
});

/** A client without its secrets. */
export type ClientView = ReturnType<(typeof clients)['view']>;

export async function createClient(
  management: Management,
  given: New<typeof clientProperties>,
): Promise<{ client: ClientView; secrets: NewSecrets }> {
  const clientSecret = generateClientSecret();
  const signingSecret = generateSigningSecret();
  const keys = await management.secrets();
  const isOurs = (given.issuer ?? null) === null;
  const client = await clients.create(management, given, {
    secretHashes: isOurs ? [keys.hash(clientSecret)] : [],
    signingSecrets: [keys.encrypt(signingSecret, placeOf.signingSecret(given.id))],
    tokensValidFromMs: management.clock.now(),
  });
  return { client, secrets: isOurs ? { clientSecret, signingSecret } : { signingSecret } };
}

/** Scopes that a former version of the document had may stay. */
function scopeFaults(
  { scopes: allScopes }: Management,
  scopes: readonly string[],
  before: readonly string[] = [],
) {
  const known = allScopes();
  return scopes.every((scope) => known.includes(scope) || before.includes(scope))
    ? []
    : [faults.fieldRule('scopes', `one of ${known.join(', ')}`)];
}

/** A team that claims a client of an issuer would get what its program sends, so only the platform may. */
function issuerFaults({ team, trustedIssuers }: Management, issuer: string | null): Fault[] {
  if (issuer === null) return [];
  if (team !== undefined) return [faults.notAllowedHere('issuer', 'users of a team')];
  return trustedIssuers.includes(issuer) ? [] : [faults.fieldRule('issuer', 'one of TRUSTED_ISSUERS')];
}
