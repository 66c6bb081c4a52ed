/** Gives a cell the keys of another, so that each accepts the other's tokens and hashes phone numbers alike. */
import type { Knex } from 'knex';
import { createClientRepository } from '../../clients/repository.ts';
import { replaceSecretKeys, secretKeysOf } from '../../clients/secret-key-repository.ts';
import { placeOf } from '../../clients/secrets.ts';
import { startSealCount } from '../../ledger/seal-repository.ts';
import { audit } from '../audit.ts';
import type { Management } from '../management.ts';
import { type Cell, refuse } from './cell.ts';

export interface CopiedKeys {
  /** The ids of the keys that SECRET_KEY has been, the oldest first. */
  secretKeys: string[];
  /** The ids (kid) of the keys that sign tokens. */
  tokenKeys: string[];
}

/**
 * Takes over the keys of `from`, in a transaction. Repeat it when the token key is rotated there: processes know the new
 * one 5 s later. Rejects if a cell with teams has had other SECRET_KEYs.
 */
export async function copyKeys(management: Management, from: Cell): Promise<CopiedKeys> {
  const [theirs, stored] = [await from.secrets(), await secretKeysOf(from.knex)];
  const tokenKeys = await createClientRepository(from.knex).load();
  if (tokenKeys.length === 0) refuse('the other cell has no token key yet: start it first');
  await management.knex.transaction((trx) => takeSecretKeys(trx, stored));
  const ours = await management.secrets();
  await management.knex.transaction(async (trx) => {
    if ((await trx('ledger_seal_count').first('id')) === undefined) await startSealCount(trx, ours);
    await createClientRepository(trx).changeKeys((keys) => ({
      removed: keys.map(({ kid }) => kid),
      added: tokenKeys.map((key) => {
        const place = placeOf.tokenKey(key.kid);
        return { ...key, privateJwk: ours.encrypt(theirs.decrypt(key.privateJwk, place), place) };
      }),
    }));
    await audit(trx, management, {
      action: 'copy',
      noun: 'token key',
      id: tokenKeys.map(({ kid }) => kid).join(' '),
      team: null,
      before: null,
      after: { keys: tokenKeys.map(({ kid, signsFrom }) => ({ kid, signsFrom })) },
    });
  });
  return { secretKeys: stored.map(({ id }) => id), tokenKeys: tokenKeys.map(({ kid }) => kid) };
}

async function takeSecretKeys(
  trx: Knex.Transaction,
  theirs: Awaited<ReturnType<typeof secretKeysOf>>,
): Promise<void> {
  const ours = await secretKeysOf(trx);
  if (ours.map(({ id }) => id).join(' ') === theirs.map(({ id }) => id).join(' ')) return;
  if ((await trx('teams').first('id')) !== undefined)
    refuse(
      'this cell has teams, and has had other SECRET_KEYs than the other one: rotate to the same keys in both',
    );
  await replaceSecretKeys(trx, theirs);
  // It was confirmed with another key.
  await trx('ledger_seal_count').delete();
}
