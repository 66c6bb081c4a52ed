/** Manages the keys that sign tokens: list, rotate, revoke. */
import { keysAt, makeKey, type StoredKey } from '../../access/keys.ts';
import { createClientRepository, type KeyChange } from '../../access/repository.ts';
import { faults, ManagementError } from '../../platform/errors/management.ts';
import { audit } from '../audit.ts';
import type { Management } from '../management.ts';
import { tokenKeyDelay } from './token-key-delay.ts';

export interface TokenKeyView {
  kid: string;
  /** `published`: it signs later. `verifies`: its tokens are still valid. */
  state: 'signs' | 'published' | 'verifies';
  signsFrom: Date;
  createdAt: Date;
}

/** Without those that only wait for the next rotation to remove them. */
export async function listTokenKeys({ knex, clock }: Management): Promise<TokenKeyView[]> {
  const { signing, live } = keysAt(await createClientRepository(knex).load(), clock.now());
  return live.map((key) => viewOf(key, signing));
}

/** Publishes a new key that signs `afterMinutes` later; tokens of the former key stay valid until they expire. */
export async function rotateTokenKey(
  management: Management,
  { afterMinutes = tokenKeyDelay.default }: { afterMinutes?: number | undefined } = {},
): Promise<TokenKeyView[]> {
  const nowMs = management.clock.now();
  const fresh = await makeKey(
    await management.secrets(),
    new Date(nowMs + afterMinutes * 60_000),
    new Date(nowMs),
  );
  return changeKeys(management, 'rotate', fresh.kid, (keys) => {
    const waiting = keys.find(({ signsFrom }) => signsFrom.getTime() > nowMs);
    if (waiting !== undefined)
      throw new ManagementError([faults.keyPublished(waiting.kid, waiting.signsFrom.toISOString())]);
    const { live } = keysAt(keys, nowMs);
    return { removed: keys.filter((key) => !live.includes(key)).map(({ kid }) => kid), added: [fresh] };
  });
}

/** Removes a leaked key; its tokens become invalid within 5 s. If it signed, a new key signs at once. */
export async function revokeTokenKey(management: Management, kid: string): Promise<TokenKeyView[]> {
  const nowMs = management.clock.now();
  const fresh = await makeKey(await management.secrets(), new Date(nowMs));
  return changeKeys(management, 'revoke', kid, (keys) => {
    const { signing } = keysAt(keys, nowMs);
    if (!keys.some((key) => key.kid === kid)) throw new ManagementError([faults.notFound('token key', kid)]);
    return { removed: [kid], added: signing?.kid === kid ? [fresh] : [] };
  });
}

async function changeKeys(
  management: Management,
  action: string,
  kid: string,
  change: (keys: StoredKey[]) => KeyChange,
): Promise<TokenKeyView[]> {
  return management.knex.transaction(async (trx) => {
    const inside = { ...management, knex: trx };
    const before = await listTokenKeys(inside);
    await createClientRepository(trx).changeKeys(change);
    const after = await listTokenKeys(inside);
    await audit(trx, management, {
      action,
      noun: 'token key',
      id: kid,
      team: null,
      before: { keys: before },
      after: { keys: after },
    });
    return after;
  });
}

function viewOf(key: StoredKey, signing: StoredKey | undefined): TokenKeyView {
  const waits = signing !== undefined && key.signsFrom > signing.signsFrom;
  return {
    kid: key.kid,
    state: key === signing ? 'signs' : waits ? 'published' : 'verifies',
    signsFrom: key.signsFrom,
    createdAt: key.createdAt,
  };
}
