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

export const operationRateOptions = {
  'operation-rate': {
    kind: 'list',
    value: 'operation=n',
    about: 'recipients or calls per second in one operation, such as sendSms=50',
    matching: { rule: /^[A-Za-z]+=\d{1,9}$/, words: 'an operation and a number, such as sendSms=50' },
  },
  'default-operation-rate': {
    kind: 'list',
    value: 'operation',
    about: 'use the default rate in this operation',
  },
} as const;

/** Null: use the default. Operations that are not named stay unchanged. */
export function chosenOperationRates(given: {
  'operation-rate': readonly string[];
  'default-operation-rate': readonly string[];
}): Record<string, number | null> | undefined {
  const all = [
    ...given['operation-rate']
      .map((text) => text.split('='))
      .map(([operation = '', rate]) => [operation, Number(rate)] as const),
    ...given['default-operation-rate'].map((operation) => [operation, null] as const),
  ];
  const twice = all.find(([operation], index) => all.findIndex(([other]) => other === operation) !== index);
  if (twice !== undefined) throw new CommandError(`the rate of ${twice[0]} is given more than once`);
  return all.length === 0 ? undefined : Object.fromEntries(all);
}
