/** Replaces SECRET_KEY: everything made with the former one is made again with the new one, while all processes run. */
import { setTimeout as delay } from 'node:timers/promises';
import { confirmSealsAgain, sealsNaming } from '../../ledger/seal-repository.ts';
import {
  insertNextKey,
  keyedColumns,
  lockSecretKeys,
  makeRowsAgain,
  releaseKeys,
  rowsNaming,
  secretKeysOf,
} from '../../platform/secrets/secret-key-repository.ts';
import { lastingText } from '../../platform/secrets/secret-keys.ts';
import { placeOf, type Secrets, secretsOf } from '../../platform/secrets/secrets.ts';
import { audit } from '../audit.ts';
import type { Management } from '../management.ts';

export interface SecretKeyView {
  id: string;
  /** `waits`: SECRET_KEY, until it is rotated to. `former`: values may still need it. `released`: none does. */
  state: 'waits' | 'active' | 'former' | 'released';
  since: Date | null;
}

/** Twice the time within which processes notice a new key. */
export const settleMs = 10_000;

/** The newest first. */
export async function listSecretKeys({ knex, secrets }: Management): Promise<SecretKeyView[]> {
  const { keys, active } = (await secrets()).ring();
  const stored = new Map((await secretKeysOf(knex)).map((key) => [key.id, key]));
  return keys.toReversed().map(({ id }) => {
    const key = stored.get(id);
    const former = key?.releasedAt ? 'released' : 'former';
    return {
      id,
      state: key === undefined ? 'waits' : id === active ? 'active' : former,
      since: key?.createdAt ?? null,
    };
  });
}

/** Whether SECRET_KEY waits to be used, and which former keys something still needs. */
export async function readSecretKeys(management: Management) {
  const listed = await listSecretKeys(management);
  const needed: { id: string; what: string }[] = [];
  for (const { id, state } of listed) {
    if (state !== 'former' && state !== 'released') continue;
    const what = await usesOf(management, id, state);
    if (what !== '') needed.push({ id, what });
  }
  return { next: listed.some(({ state }) => state === 'waits'), needed };
}

/** Such as `2 × client secret, 14 × ledger seal`; empty if nothing names the key. */
async function usesOf({ knex }: Management, id: string, state: SecretKeyView['state']): Promise<string> {
  // Seals that were left when the key was released are wrong: the ledger's check names them.
  const seals = state === 'former' ? await sealsNaming(knex, id) : 0;
  const uses = [...(await rowsNaming(knex, id)), ['ledger seal', seals] as const];
  return uses
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} × ${what}`)
    .join(', ');
}

export interface Rotated {
  keys: SecretKeyView[];
  /** Left as they were, because the former key does not open them: while there are any, the key is not released. */
  unreadable: string[];
  /** So many seals of ledgers were not confirmed again, because somebody changed them by hand. */
  wrongSeals: number;
}

/**
 * Begins to use SECRET_KEY if it waits, and makes again what names a former key. May be repeated at any time, and goes on
 * where an earlier one was ended. `waitMs`: for the other processes to notice the new key.
 */
export async function rotateSecretKey(
  management: Management,
  waitMs: number,
  onProgress: (sentence: string) => void,
): Promise<Rotated> {
  const secrets = await management.secrets();
  requireSomething(secrets);
  if (await beginNext(management, secrets)) onProgress(`${secrets.ring().active} makes new values`);
  onProgress('waiting until every process uses it');
  await delay(waitMs);
  const { keys, active } = secrets.ring();
  const former = keys.filter(({ id, passing }) => id !== active && passing !== undefined);
  const unreadable: string[] = [];
  let wrongSeals = 0;
  for (const { id } of former) {
    for (const column of keyedColumns) {
      unreadable.push(...(await makeRowsAgain(management.knex, secrets, id, column)));
      onProgress(`every ${column.what} has been made again`);
    }
    wrongSeals += await confirmSealsAgain(management.knex, secrets, id, (done) =>
      onProgress(`${done} ledger seals have been confirmed again`),
    );
  }
  if (unreadable.length === 0)
    await releaseKeys(
      management.knex,
      former.map(({ id }) => id),
    );
  return { keys: await listSecretKeys(management), unreadable, wrongSeals };
}

function requireSomething(secrets: Secrets): void {
  const { keys, active } = secrets.ring();
  const given = keys.filter(({ passing }) => passing !== undefined);
  if (given.some(({ id }) => id !== active)) return;
  throw new Error(
    'there is nothing to rotate: set SECRET_KEY to a new key and SECRET_KEY_PREVIOUS to the one that it replaces',
  );
}

/** Whether it began: SECRET_KEY waited, and no other command was first. */
async function beginNext(management: Management, secrets: Secrets): Promise<boolean> {
  const { keys, active } = secrets.ring();
  const next = keys.at(-1);
  const known = await secretKeysOf(management.knex);
  if (next?.passing === undefined || known.some(({ id }) => id === next.id)) {
    secrets.use({ keys, active: known.at(-1)?.id ?? active });
    return false;
  }
  const ring = { keys, active: next.id };
  const sealing = secretsOf(ring);
  const began = await management.knex.transaction(async (trx) => {
    const stored = await lockSecretKeys(trx);
    const last = stored.at(-1);
    if (last?.id !== active) {
      if (last?.id === next.id) return false;
      throw new Error('SECRET_KEY was rotated to another key meanwhile: set that one');
    }
    const lasting = new Map(
      keys
        .slice(0, -1)
        .map((key) => [key.id, sealing.encrypt(lastingText(key), placeOf.lastingKeys(key.id))] as const),
    );
    await insertNextKey(trx, { number: last.number + 1, id: next.id }, lasting);
    await audit(trx, management, {
      action: 'rotate',
      noun: 'secret key',
      id: next.id,
      team: null,
      before: { active },
      after: { active: next.id },
    });
    return true;
  });
  secrets.use(ring);
  return began;
}
