/** The options for the rate limit of a team or a client. */
import { ranges } from '../../manage/rules.ts';
import { CommandError } from '../line/command.ts';

/** A request with more recipients than the rate is always rejected; a rate below 100 is set on purpose. */
export function rateOptions(about: string) {
  return {
    rate: { kind: 'number', ...ranges.ratePerSecond, value: 'n', about },
    'default-rate': { kind: 'flag', about: 'use the default rate' },
  } as const;
}

/** Null: use the default. Undefined: unchanged. */
export function chosenRate(given: {
  rate: number | undefined;
  'default-rate': boolean;
}): number | null | undefined {
  if (given.rate !== undefined && given['default-rate'])
    throw new CommandError('--rate and --default-rate cannot be combined');
  return given['default-rate'] ? null : given.rate;
}
