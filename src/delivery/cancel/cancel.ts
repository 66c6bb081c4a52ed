/** Cancels what no network has of a request: each of its messages is either cancelled and refunded, or sent. */
import type { Knex } from 'knex';
import type { Cancelled } from '../../model/cancelled.ts';
import { deleteJobs, lockUnclaimed } from '../../queue/unclaimed-repository.ts';
import { type Consequences, type RecordedState, recordChanges } from '../../receipts/record.ts';
import { findBegun, lockUnsubmitted, readCancelled, teamOfRequest } from './repository.ts';

export interface CancelDependencies {
  knex: Knex;
  consequences: Consequences;
  /** Called after the commit. */
  onReached: (reached: readonly RecordedState[]) => void;
}

/**
 * Undefined: there is no such request, or not in this team. `note` is called in the transaction with how many messages
 * it cancels, if there are any.
 */
export type Cancel = (
  requestId: string,
  team: string | undefined,
  note?: (trx: Knex.Transaction, teamId: string, messages: number) => Promise<void>,
) => Promise<Cancelled | undefined>;

export function createCancel({ knex, consequences, onReached }: CancelDependencies): Cancel {
  return async (requestId, team, note = async () => {}) => {
    const teamId = await teamOfRequest(knex, requestId, team);
    if (teamId === undefined) return undefined;
    const reached = await knex.transaction(async (trx) => {
      const unsubmitted = await lockUnsubmitted(trx, requestId);
      // A row is Scheduled or Held for us alone now. Of a queued message its job decides, which workers claim.
      const jobs = await lockUnclaimed(
        trx,
        unsubmitted.filter(({ state }) => state === 'Queued'),
      );
      const unclaimed = jobs.flatMap(({ messageIds }) => messageIds);
      const waiting = unsubmitted.flatMap(({ id, state }) => (state === 'Queued' ? [] : [id]));
      const begun = await findBegun(trx, [...unclaimed, ...waiting]);
      const free = new Set([...unclaimed, ...waiting].filter((id) => !begun.has(id)));
      const messages = unsubmitted.filter(({ id }) => free.has(id));
      if (messages.length === 0) return [];
      await note(trx, teamId, messages.length);
      await deleteJobs(
        trx,
        jobs
          .filter(({ whole, messageIds }) => whole && messageIds.every((id) => free.has(id)))
          .map(({ id }) => id),
      );
      return recordChanges(
        trx,
        messages.map(({ id: messageId, product }) => ({
          messageId,
          product,
          state: 'Cancelled',
          refund: true,
          accepted: false,
        })),
        consequences,
      );
    });
    onReached(reached);
    return readCancelled(knex, requestId);
  };
}
