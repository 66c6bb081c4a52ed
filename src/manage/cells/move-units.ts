/** Moves the units of a team to another cell: a correction in each ledger, both with the same reference. */
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import {
  addEntry,
  findEntryByReference,
  listAccounts,
  listEntriesByReference,
  lockAccount,
} from '../../ledger/repository.ts';

/**
 * Empties the accounts of `here`, opens the same ones in `there`, and adds to them what left. If a call is cut short, the
 * next one adds what it took and did not add. `into`: the id of the other database. Returns how many units it added.
 */
export async function moveUnits(
  here: Knex,
  there: Knex,
  { team, into }: { team: string; into: string },
): Promise<number> {
  const prefix = `move-${into}-`;
  let moved = 0;
  for (const { id, ...account } of await listAccounts(here, team)) {
    await here.transaction(async (trx) => {
      const locked = await lockAccount(trx, account);
      if (locked.balance === 0) return;
      await addEntry(
        trx,
        locked,
        entryOf(-locked.balance, `${prefix}${randomUUID()}`, 'Moved to another cell'),
      );
    });
    const taken = await listEntriesByReference(here, id, prefix);
    moved += await there.transaction(async (trx) => {
      let arrived = 0;
      let open = await lockAccount(trx, account);
      for (const { units, reference } of taken) {
        if ((await findEntryByReference(trx, open.id, reference)) !== undefined) continue;
        const balance = await addEntry(trx, open, entryOf(-units, reference, 'Moved from another cell'));
        open = { ...open, balance };
        arrived -= units;
      }
      return arrived;
    });
  }
  return moved;
}

const entryOf = (units: number, reference: string, note: string) =>
  ({ units, reason: 'Correction', reference, note }) as const;
