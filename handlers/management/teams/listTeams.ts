/** Lists teams. */
import { listTeams as list } from '../../../src/manage/access/teams.ts';
import type { CountedTeam } from '../../../src/teams/repository.ts';
import { type ManagementHandler, type Part, pageOf } from '../operation.ts';

export const listTeams: ManagementHandler<'listTeams'> = async ({ query, reply }, management) => {
  const read = async (part: Part) => (await list(management, part)).map(withoutCounts);
  return reply(200, await pageOf('listTeams', query, management, read, ({ id }) => id));
};

function withoutCounts({ clients: _clients, services: _services, ...team }: CountedTeam) {
  return team;
}
