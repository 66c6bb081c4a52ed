/** Counts of messages and their outcomes. */
import { readStats } from '../../src/manage/operation/stats.ts';
import { instantOf, type ManagementHandler, wire } from './operation.ts';

/** Counts messages, their outcomes and how long they took. */
export const getStatistics: ManagementHandler<'getStatistics'> = async ({ query, reply }, management) => {
  const { by, teamId: team } = query;
  const stats = await readStats(management, {
    by,
    team,
    from: instantOf(query.from),
    to: instantOf(query.to),
  });
  const { from, to, items } = stats;
  return reply(200, wire({ by, timeZone: 'UTC', from, to, items }));
};
