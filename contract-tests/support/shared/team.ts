/** A team of its own at the shared service, for tests that look at everything a team has. */
import { addTeam, type Team } from '../management/team.ts';
import { type Answer, type CallOptions, call, tokenFor } from '../service/api.ts';
import { type SharedService, sharedService } from './service.ts';

export interface TeamCaller {
  service: SharedService;
  baseUrl: string;
  team: Team;
  token: string;
  post: (path: string, body: unknown, options?: CallOptions) => Promise<Answer>;
  get: (path: string, token?: string) => Promise<Answer>;
}

export async function sharedTeam(units: Parameters<typeof addTeam>[1]): Promise<TeamCaller> {
  const service = sharedService();
  const { baseUrl } = service.demo;
  const team = await addTeam(service, units);
  const token = await tokenFor(baseUrl, team);
  return {
    service,
    baseUrl,
    team,
    token,
    post: (path, body, options) => call(baseUrl, path, { token, body, ...options }),
    get: (path, by = token) => call(baseUrl, path, { method: 'GET', token: by }),
  };
}
