/** Stores the audit log: who changed what, when, and how it was before. */
import type { Knex } from 'knex';

/** A change by an operator. Secrets are never part of `before` and `after`. */
export interface AuditEntry {
  id: string;
  at: Date;
  actorKind: string;
  actorName: string;
  /** Such as `create`, `change` or `approve`. */
  action: string;
  /** Such as `team`, with its id. */
  noun: string;
  nounId: string;
  /** The team that owns it; null: the platform. */
  teamId: string | null;
  /** Null: it did not exist. */
  before: object | null;
  /** Null: it no longer exists. */
  after: object | null;
}

export interface AuditFilter {
  team?: string | undefined;
  noun?: string | undefined;
  nounId?: string | undefined;
  actor?: string | undefined;
  /** Included. */
  from?: Date | undefined;
  /** Not included. */
  to?: Date | undefined;
  /** Entries behind the one with this id. */
  before?: string | undefined;
  limit: number;
}

export async function insertAuditEntry(knex: Knex, entry: Omit<AuditEntry, 'id'>): Promise<void> {
  await knex('audit_log').insert({
    at: entry.at,
    actor_kind: entry.actorKind,
    actor_name: entry.actorName,
    action: entry.action,
    noun: entry.noun,
    noun_id: entry.nounId,
    team_id: entry.teamId,
    before: entry.before && JSON.stringify(entry.before),
    after: entry.after && JSON.stringify(entry.after),
  });
}

/** The newest first, by their times: ids need not be in that order. */
export async function listAuditEntries(knex: Knex, filter: AuditFilter): Promise<AuditEntry[]> {
  return auditQuery(knex, filter);
}

/**
 * Behind one entry, where the index is entered is a single bound on time and id: of two, PostgreSQL would enter it at
 * either and read what is between them. No entry has the id 0.
 */
const behind = `(at, id) < (
  select least(at, :to::timestamptz), case when at < :to then id else 0 end from audit_log where id = :before)`;

/** The query of `listAuditEntries`; the tests explain it. */
export function auditQuery(knex: Knex, filter: AuditFilter) {
  const { team, noun, nounId, actor, from, to, before, limit } = filter;
  // Chooses the index: see the migration.
  const isNarrowed = [team, noun, nounId, actor].some((one) => one !== undefined);
  return knex('audit_log')
    .modify((query) => {
      for (const [column, value] of Object.entries({
        team_id: team,
        noun,
        noun_id: nounId,
        actor_name: actor,
      }))
        if (value !== undefined) query.where(column, value);
      if (from !== undefined) query.where('at', '>=', from);
      if (before !== undefined) query.whereRaw(behind, { to: to ?? 'infinity', before });
      else if (to !== undefined) query.where('at', '<', to);
    })
    .orderBy(['at', 'id'].map((column) => ({ column, order: 'desc', nulls: isNarrowed ? 'first' : 'last' })))
    .limit(limit)
    .select(
      'id',
      'at',
      'actor_kind as actorKind',
      'actor_name as actorName',
      'action',
      'noun',
      'noun_id as nounId',
      'team_id as teamId',
      'before',
      'after',
    );
}
