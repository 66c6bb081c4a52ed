/** Checks the ledger of each account from its first entry to its last one, across the archive and the database. */
import { type ArchivedLedger, nameOf } from '../../archive/verify.ts';
import type { Head } from '../../ledger/chain.ts';
import { confirmedSeal } from '../../ledger/confirmation.ts';
import { beginningOf, firstPlace } from '../../ledger/entry-repository.ts';
import { missingSeals } from '../../ledger/inspection-repository.ts';
import { type Account, listAllAccounts } from '../../ledger/repository.ts';
import { lastSealOf } from '../../ledger/seal-repository.ts';
import { entriesAfter } from '../../ledger/statement-repository.ts';
import { accountName } from '../../model/account.ts';
import type { Management } from '../management.ts';

export interface CheckedLedger {
  account: string;
  /** Entries in the archive. */
  archived: number;
  /** Entries altogether. */
  entries: number;
  /** After the last of them. */
  balance: number;
  /** The last entry that a seal confirms; null: none. */
  confirmedThrough: number | null;
  /** A sentence; null if all is well. */
  problem: string | null;
}

/** `ledgers`: what an archive that verifies has, by the ids of accounts. */
export async function checkLedgers(
  management: Management,
  ledgers: ReadonlyMap<string, ArchivedLedger>,
): Promise<CheckedLedger[]> {
  const key = await management.secrets();
  if ((await missingSeals(management.knex, key)) !== 0)
    return [...ledgers.values()].map(({ statement, head }) => ({
      account: nameOf(statement),
      ...checkedAt(head, head),
      problem: 'seals of ledgers were deleted or added by hand: the doctor names them',
    }));
  const checked: CheckedLedger[] = [];
  for (const account of await listAllAccounts(management.knex))
    checked.push(await checkLedger(management, account, ledgers.get(account.id)));
  return checked;
}

async function checkLedger(
  { knex, secrets }: Management,
  account: Account,
  archived: ArchivedLedger | undefined,
): Promise<CheckedLedger> {
  const { teamId, product, variant } = account;
  const name = nameOf({ teamId, ...accountName(product, variant) });
  const place = await beginningOf(knex, account);
  const before: Head = archived?.head ?? firstPlace(account);
  const result = (head: Head, problem: string | null, confirmedThrough: number | null = null) => ({
    account: name,
    ...checkedAt(before, head),
    confirmedThrough,
    problem,
  });
  if (before.entries < place.entries)
    return result(
      before,
      `entries ${before.entries + 1} to ${place.entries} are neither in the archive nor here`,
    );
  if (before.entries === place.entries && before.hash !== place.hash)
    return result(
      before,
      `entry ${place.entries} of the archive is not the one that the ledger goes on from`,
    );
  const seal = await lastSealOf(knex, account.id);
  if (
    seal !== undefined &&
    (await secrets()).confirms(confirmedSeal({ ...account, ...seal }), seal.confirmation) !== true
  )
    return result(
      place,
      `the seal of entry ${seal.entries} was made by hand: it is not confirmed with SECRET_KEY`,
    );
  let [head, matches]: [Head, boolean] = [place, seal === undefined || place.hash === seal.hash];
  for await (const { position: entries, balance, hash } of entriesAfter(knex, account, place, undefined)) {
    head = { entries, balance, hash };
    matches ||= hash === seal?.hash;
    if (entries === before.entries && hash !== before.hash)
      return result(head, `entry ${entries} is not the one of the archive`);
  }
  if (!matches)
    return result(head, `entry ${seal?.entries}, or one before it, is not what the service has sealed`);
  return result(head, null, seal?.entries ?? null);
}

function checkedAt(before: Head, head: Head): Omit<CheckedLedger, 'account' | 'problem'> {
  return { archived: before.entries, entries: head.entries, balance: head.balance, confirmedThrough: null };
}
