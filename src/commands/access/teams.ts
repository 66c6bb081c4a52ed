/** Commands for teams, which own units, clients and services. */
import { changeTeam, createTeam, listTeams } from '../../manage/access/teams.ts';
import { CommandError, command } from '../line/command.ts';
import { chosenRate, rateOptions } from './rate.ts';

export const teamCommands = [
  command({
    words: 'team add',
    about: 'add a team',
    positionals: { team: 'id of the new team' },
    options: { name: { kind: 'text', about: 'display name; default: the id' } },
    async run({ team: id, name }, context) {
      const team = await createTeam(await context.management(), { id, name });
      return { one: { team: id, name: team.name } };
    },
  }),
  command({
    words: 'team set',
    about: 'change a team; options that you omit stay unchanged; takes effect within 5 s',
    positionals: { team: 'id of the team' },
    options: {
      name: { kind: 'text', about: 'display name' },
      ...rateOptions('recipients per second in each operation; default: RATE_LIMIT_PER_SECOND'),
    },
    async run({ team: id, name, ...rate }, context) {
      const ratePerSecond = chosenRate(rate);
      if (name === undefined && ratePerSecond === undefined)
        throw new CommandError('nothing to change: give --name, --rate or --default-rate');
      const team = await changeTeam(await context.management(), id, { name, ratePerSecond });
      return { one: { team: id, name: team.name, rate: team.ratePerSecond } };
    },
  }),
  command({
    words: 'team list',
    about: 'list the teams',
    async run(_values, context) {
      const teams = await listTeams(await context.management());
      return {
        list: teams.map(({ id, name, ratePerSecond, clients, services }) => ({
          team: id,
          name,
          rate: ratePerSecond,
          clients,
          services,
        })),
      };
    },
  }),
];
