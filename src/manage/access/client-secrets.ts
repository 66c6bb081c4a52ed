/** Rotates and revokes the secrets of clients, and decides which tokens stay valid. */
import type { Client } from '../../access/client.ts';
import type { Clock } from '../../platform/clock.ts';
import {
  generateClientSecret,
  generateSigningSecret,
  placeOf,
  type Secrets,
} from '../../platform/secrets/secrets.ts';
import type { Management } from '../management.ts';
import { type ClientView, clients, type NewSecrets } from './clients.ts';

/** Secrets are newest first; two are valid during a rotation. */
const mostSecrets = 2;

/** The former secret stays valid until it is revoked, or until the next rotation. */
export async function rotateClientSecret(
  management: Management,
  id: string,
  which: 'client' | 'signing',
  version?: string,
): Promise<{ client: ClientView; secrets: NewSecrets }> {
  const signing = which === 'signing';
  const secret = signing ? generateSigningSecret() : generateClientSecret();
  const secrets = await management.secrets();
  const action = `rotate ${which} secret`;
  const client = await clients.update(management, id, { action, version }, (before) =>
    rotated(before, secret, { signing, secrets, clock: management.clock }),
  );
  return { client, secrets: signing ? { signingSecret: secret } : { clientSecret: secret } };
}

/** Only the newest secrets stay valid. Withdrawing a client secret ends all tokens issued so far, within 5 s. */
export async function revokeFormerSecrets(
  management: Management,
  id: string,
  version?: string,
): Promise<ClientView> {
  return clients.update(management, id, { action: 'revoke former secrets', version }, (before) =>
    withSecrets(
      before,
      { hashes: before.secretHashes.slice(0, 1), signing: before.signingSecrets.slice(0, 1) },
      management.clock,
    ),
  );
}

/** Disables a client; its tokens become invalid within 5 s. */
export async function revokeClient(
  management: Management,
  id: string,
  version?: string,
): Promise<ClientView> {
  return clients.update(management, id, { action: 'revoke', version }, (before) => ({
    ...withoutTokens(before, management.clock),
    enabled: false,
  }));
}

/** Enables a disabled client; it needs a new token. */
export async function restoreClient(
  management: Management,
  id: string,
  version?: string,
): Promise<ClientView> {
  return clients.update(management, id, { action: 'restore', version }, (before) => ({
    ...withoutTokens(before, management.clock),
    enabled: true,
  }));
}

function rotated(
  found: Client,
  secret: string,
  { signing, secrets, clock }: { signing: boolean; secrets: Secrets; clock: Clock },
): Client {
  const newest = (kept: string, former: readonly string[]) => [kept, ...former].slice(0, mostSecrets);
  const { secretHashes: hashes, signingSecrets } = found;
  if (!signing)
    return withSecrets(
      found,
      { hashes: newest(secrets.hash(secret), hashes), signing: signingSecrets },
      clock,
    );
  const sealed = secrets.encrypt(secret, placeOf.signingSecret(found.id));
  return withSecrets(found, { hashes, signing: newest(sealed, signingSecrets) }, clock);
}

/** Withdrawing a client secret ends tokens: it is unknown with which secret each was obtained. */
function withSecrets(
  found: Client,
  { hashes, signing }: { hashes: readonly string[]; signing: readonly string[] },
  clock: Clock,
): Client {
  const withdrawn = found.secretHashes.some((hash) => !hashes.includes(hash));
  return {
    ...(withdrawn ? withoutTokens(found, clock) : found),
    secretHashes: hashes,
    signingSecrets: signing,
  };
}

/** Ends all tokens issued so far, also if the clock was set back. */
function withoutTokens(found: Client, clock: Clock): Client {
  return { ...found, tokensValidFromMs: Math.max(clock.now(), found.tokensValidFromMs + 1) };
}
