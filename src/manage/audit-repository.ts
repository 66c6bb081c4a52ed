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
  /** Entries older than the one with this id. */
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

/** The newest first. */
export async function listAuditEntries(knex: Knex, filter: AuditFilter): Promise<AuditEntry[]> {
  const { team, noun, nounId, actor, from, to, before, limit } = filter;
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
      if (to !== undefined) query.where('at', '<', to);
      if (before !== undefined) query.where('id', '<', before);
    })
    .orderBy('id', 'desc')
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
