/** Commands for teams, which own units, clients and services. */
import type { Database } from '../db/knex.ts';
import { insertTeam, listTeams, teamExists, updateTeam } from '../teams/repository.ts';
import type { Cell } from './answer.ts';
import { type Command, CommandError, command } from './command.ts';
import { chosenRate, rateOptions } from './rate.ts';

export const teamCommands = [
  command({
    words: 'team add',
    about: 'add a team',
    positionals: { team: 'id of the new team' },
    options: { name: { kind: 'text', about: 'display name; default: the id' } },
    async run({ team, name }, context) {
      const { knex } = await context.database();
      if (!(await insertTeam(knex, team, name ?? team)))
        throw new CommandError(`team ${team} already exists`);
      return { one: { team, name: name ?? team } };
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
    async run({ team, name, ...rate }, context) {
      const ratePerSecond = chosenRate(rate);
      if (name === undefined && ratePerSecond === undefined)
        throw new CommandError('nothing to change: give --name, --rate or --default-rate');
      const { knex } = await context.database();
      const changed = await updateTeam(knex, team, { name, ratePerSecond });
      if (changed === undefined) throw new CommandError(`team ${team} does not exist`);
      return { one: { team, name: changed.name, rate: changed.ratePerSecond } };
    },
  }),
  command({
    words: 'team list',
    about: 'list the teams',
    async run(_values, context) {
      const { knex } = await context.database();
      return { list: await listTeams(knex) };
    },
  }),
];

/** A command that lists things of one team, or of all. */
export function listByTeam(
  words: string,
  about: string,
  list: (database: Database, team: string | undefined) => Promise<readonly Record<string, Cell>[]>,
): Command {
  return command({
    words,
    about,
    options: { team: { kind: 'text', about: 'show only this team' } },
    async run({ team }, context) {
      const database = await context.database();
      await requireTeam(database, team);
      return { list: await list(database, team) };
    },
  });
}

/** Throws a CommandError if the team does not exist. Without an id there is nothing to check. */
export async function requireTeam({ knex }: Database, team: string | undefined): Promise<void> {
  if (team !== undefined && !(await teamExists(knex, team)))
    throw new CommandError(`team ${team} does not exist`);
}
