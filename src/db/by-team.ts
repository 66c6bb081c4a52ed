/** Lists the rows of a table by team, or a page of them by id. */
import type { Knex } from 'knex';

export interface Part {
  /** Undefined: of all teams. */
  teamId: string | undefined;
  /** Begin after this id. */
  after?: string | undefined;
  limit?: number | undefined;
}

/** For Knex's `modify`. A page is in the order of ids; all rows are in the order of teams and ids. */
export function byTeam(query: Knex.QueryBuilder, { teamId, after, limit }: Part): void {
  query.where(teamId === undefined ? {} : { team_id: teamId });
  if (after !== undefined) query.where('id', '>', after);
  if (limit === undefined && after === undefined) query.orderBy(['team_id', 'id']);
  else query.orderBy('id');
  if (limit !== undefined) query.limit(limit);
}
