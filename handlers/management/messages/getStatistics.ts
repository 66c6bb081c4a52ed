/** Counts messages, their outcomes and how long they took. */
import { readStats } from '../../../src/manage/operation/stats.ts';
import { instantOf, type ManagementHandler } from '../operation.ts';

export const getStatistics: ManagementHandler<'getStatistics'> = async ({ query, reply }, management) => {
  const { by, teamId: team } = query;
  const stats = await readStats(management, {
    by,
    team,
    from: instantOf(query.from),
    to: instantOf(query.to),
  });
  return reply(200, {
    by,
    timeZone: 'UTC',
    from: stats.from.toISOString(),
    to: stats.to.toISOString(),
    items: stats.items,
  });
};
