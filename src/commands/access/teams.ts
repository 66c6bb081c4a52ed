/** Commands for teams, which own units, clients and services. */
import { changeTeam, createTeam, listTeams, type Team } from '../../manage/access/teams.ts';
import { ranges } from '../../manage/rules.ts';
import { CommandError, command } from '../line/command.ts';
import { chosenOperationRates, chosenRate, operationRateOptions, rateOptions } from './rate.ts';

const daysOption = (what: string) =>
  ({
    kind: 'number',
    min: 0,
    max: ranges.days.max,
    value: 'n',
    about: `days until ${what} are erased, if fewer than the settings say; 0: as they say`,
  }) as const;

const chosenDays = (days: number | undefined) => (days === 0 ? null : days);

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
      ...operationRateOptions,
      'text-days': daysOption('texts, parameters and correlators'),
      'receipt-days': daysOption('bodies and attempts of receipts'),
      'number-days': daysOption('phone numbers'),
    },
    async run({ team: id, name, ...given }, context) {
      const edit = {
        name,
        ratePerSecond: chosenRate(given),
        operationRates: chosenOperationRates(given),
        textDays: chosenDays(given['text-days']),
        receiptDays: chosenDays(given['receipt-days']),
        numberDays: chosenDays(given['number-days']),
      };
      if (Object.values(edit).every((value) => value === undefined))
        throw new CommandError('nothing to change: give an option, such as --name');
      const changed = await changeTeam(await context.management(), id, edit);
      return { one: summaryOf(changed) };
    },
  }),
  command({
    words: 'team list',
    about: 'list the teams',
    async run(_values, context) {
      const teams = await listTeams(await context.management());
      return {
        list: teams.map(({ clients, services, ...team }) => ({ ...summaryOf(team), clients, services })),
      };
    },
  }),
];

function summaryOf({ id, name, ratePerSecond, operationRates, ...days }: Omit<Team, 'createdAt'>) {
  const { textDays, receiptDays, numberDays } = days;
  return {
    team: id,
    name,
    rate: ratePerSecond,
    operationRates: Object.entries(operationRates).map(([operation, rate]) => `${operation}=${rate}`),
    ...{ textDays, receiptDays, numberDays },
  };
}
