/** Writes and reads the audit log. */
import type { Knex } from 'knex';
import type { Noun } from '../platform/errors/management.ts';
import { type AuditEntry, type AuditFilter, insertAuditEntry, listAuditEntries } from './audit-repository.ts';
import type { Management } from './management.ts';

export interface Change {
  action: string;
  noun: Noun;
  id: string;
  /** The team that owns it; null: the platform. */
  team: string | null;
  before: object | null;
  after: object | null;
}

/** Call it in the transaction that makes the change. */
export async function audit(
  trx: Knex.Transaction,
  { actor, clock }: Pick<Management, 'actor' | 'clock'>,
  { action, noun, id, team, before, after }: Change,
): Promise<void> {
  await insertAuditEntry(trx, {
    at: new Date(clock.now()),
    actorKind: actor.kind,
    actorName: actor.name,
    action,
    noun,
    nounId: id,
    teamId: team,
    before,
    after,
  });
}

/** A page of 100, and one more that tells whether another follows. */
const mostEntries = 101;

/** The newest first; continue with `before`, the id of the last entry of the page. A team sees its own entries. */
export async function listAudit(
  { knex, team }: Management,
  filter: Omit<AuditFilter, 'limit'> & { limit?: number | undefined } = {},
): Promise<AuditEntry[]> {
  return listAuditEntries(knex, {
    ...filter,
    team: team ?? filter.team,
    limit: Math.min(filter.limit ?? mostEntries, mostEntries),
  });
}
