/** Carries out the request of a person that everything about them be erased, whichever of their names it came with. */

import { eraseOptOutPhones } from '../../products/consent/opt-out-repository.ts';
import { splitByNeed } from '../../retention/erase-repository.ts';
import { eraseInboundOf, eraseInboundParts } from '../../retention/inbound-repository.ts';
import { eraseNames, findNames } from '../../retention/person-repository.ts';
import {
  type Erased,
  eraseMentions,
  eraseSubjectMessages,
  findSubjectMessages,
} from '../../retention/subject-repository.ts';
import { eraseUnreadableOf } from '../../retention/unreadable-repository.ts';
import { audit } from '../audit.ts';
import type { Management } from '../management.ts';
import { listedTeam } from '../resource.ts';

export interface ErasedSubject extends Erased {
  /** Messages that the number sent, also those that could not be read. */
  inboundMessages: number;
  /** Messages that are still on their way: a worker erases each within minutes of its end. */
  inFlight: number;
}

const messagesPerTransaction = 100;
const firstId = '0';

/**
 * Repeating it erases what has come since. Messages that are not final stay until they are, because somebody has paid
 * for them and their network may still report; so do those whose last receipt has not been tried, for ten minutes.
 */
export async function eraseSubject(
  management: Management,
  { phone, team: wanted }: { phone: string; team?: string | undefined },
): Promise<ErasedSubject> {
  const { knex, secrets } = management;
  const team = await listedTeam(management, wanted);
  const { hashPhone } = await secrets();
  const known = await findNames(knex, hashPhone(phone));
  const names = [...new Set([phone, ...known.flatMap(({ name }) => name ?? [])])];
  const hashes = [...new Set([...names.map(hashPhone), ...known.map(({ hash }) => hash)])];
  const phones = [...names, ...hashes];
  const erased: ErasedSubject = {
    messages: 0,
    messageParts: 0,
    receipts: 0,
    requests: 0,
    idempotencyKeys: 0,
    quarantine: 0,
    networkReports: 0,
    optOuts: 0,
    inboundMessages: 0,
    inFlight: 0,
  };
  const teams = team === undefined ? await knex('teams').orderBy('id').pluck('id') : [team];
  for (const teamId of teams) {
    let after: string | undefined = firstId;
    while (after !== undefined) {
      const ids = await findSubjectMessages(knex, { teamId, phones, after, limit: messagesPerTransaction });
      const counts = await knex.transaction(async (trx) => {
        const ready = await splitByNeed(trx, 'subject', ids);
        return { ...(await eraseSubjectMessages(trx, ready)), inFlight: ids.length - ready.length };
      });
      add(erased, counts);
      after = ids.at(-1);
    }
    const inboundMessages = await knex.transaction((trx) => eraseInboundOf(trx, teamId, phones));
    add(erased, { inboundMessages });
  }
  for (const name of names)
    add(erased, { inboundMessages: await knex.transaction((trx) => eraseUnreadableOf(trx, name, team)) });
  add(erased, { optOuts: await eraseOptOutPhones(knex, hashes, team) });
  // Data of no message belong to no team.
  if (team === undefined)
    await knex.transaction(async (trx) => {
      for (const name of names) add(erased, await eraseMentions(trx, name));
      await eraseInboundParts(trx, phone);
      await eraseNames(trx, hashes);
    });
  await knex.transaction((trx) =>
    audit(trx, management, {
      action: 'erase',
      noun: 'subject',
      // The number itself must not be stored.
      id: 'a phone number',
      team: team ?? null,
      before: null,
      after: erased,
    }),
  );
  return erased;
}

function add(sum: ErasedSubject, counts: Partial<ErasedSubject>): void {
  for (const [table, count] of Object.entries(counts)) sum[table as keyof ErasedSubject] += count;
}
