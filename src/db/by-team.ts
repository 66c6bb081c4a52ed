/** Lists the rows of a table by team. */
import type { Knex } from 'knex';

/** The rows of one team, or of all, by their ids; for Knex's `modify`. */
export function byTeam(query: Knex.QueryBuilder, teamId: string | undefined): void {
  query.where(teamId === undefined ? {} : { team_id: teamId }).orderBy(['team_id', 'id']);
}
