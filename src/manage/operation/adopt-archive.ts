/** Goes on in an archive that has lost files for good. */
import { adoptStore } from '../../archive/adopt.ts';
import type { ArchiveStore } from '../../archive/store.ts';
import { audit } from '../audit.ts';
import type { Management } from '../management.ts';

/** Returns the numbers of the segments that are lost. */
export async function adoptArchive(management: Management, store: ArchiveStore): Promise<number[]> {
  const lost = await adoptStore(management.knex, store);
  await management.knex.transaction((trx) =>
    audit(trx, management, {
      action: 'adopt',
      noun: 'archive',
      id: store.url,
      team: null,
      before: null,
      after: { lost },
    }),
  );
  return lost;
}
