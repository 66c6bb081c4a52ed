/** Teams, which own units, clients and services. */
import { teams } from '../../src/manage/access/teams.ts';
import { changes, creates, gets, lists } from './resource.ts';

export const listTeams = lists('listTeams', teams);
export const createTeam = creates('createTeam', teams, '/teams/');
export const getTeam = gets('getTeam', teams, 'teamId');
export const updateTeam = changes('updateTeam', teams, 'teamId');
