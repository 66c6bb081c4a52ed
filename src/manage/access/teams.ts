/** Manages teams, which own units, clients and services. */
import { limitedOperations } from '../../contract/limits.ts';
import { changeable, fixed, kept } from '../../platform/db/rows.ts';
import { type Fault, faults } from '../../platform/errors/management.ts';
import { resource } from '../resource.ts';
import { nameFaults } from '../rules.ts';
import { limitFaults, limitProperties, settledCaps, shownCaps } from './own-limits.ts';

/** Recipients or calls per second by operationId. */
type Rates = Readonly<Record<string, number>>;

export const teams = resource({
  noun: 'team',
  table: 'teams',
  key: 'id',
  owner: 'id',
  properties: {
    id: fixed<string>(),
    name: changeable<string>({ initially: (id) => id }),
    /** Recipients per second in each operation; null: what the settings say. */
    ratePerSecond: changeable<number | null>({ initially: null }),
    /** Instead of any other limit for the team. A change replaces those that it names, null removes one. */
    operationRates: changeable<Readonly<Record<string, number | null>>>({ initially: {} }),
    /** How many days texts, receipts and phone numbers are kept, if fewer than the settings say; null: as they say. */
    textDays: changeable<number | null>({ initially: null }),
    receiptDays: changeable<number | null>({ initially: null }),
    numberDays: changeable<number | null>({ initially: null }),
    /** How many days rows stay before they leave for the archive, likewise. */
    rowDays: changeable<number | null>({ initially: null }),
    ...limitProperties,
    pumpingGuard: changeable<'Off' | 'Record' | 'Refuse'>({ initially: 'Off' }),
    createdAt: kept<Date>(),
  },
  settle: ({ operationRates, caps }, { before }) => {
    const rates = Object.entries({ ...before?.operationRates, ...operationRates });
    return {
      operationRates: Object.fromEntries(rates.filter(([, rate]) => rate !== null)),
      ...settledCaps({ caps }, before),
    };
  },
  check: (after) => [
    ...nameFaults(after.name),
    ...operationFaults(Object.keys(after.operationRates)),
    ...limitFaults(after),
  ],
  view: ({ operationRates, ...team }) => ({
    ...team,
    operationRates: operationRates as Rates,
    ...shownCaps(team),
  }),
});

function operationFaults(named: readonly string[]): Fault[] {
  const limited = limitedOperations().map(({ operation }) => operation);
  return named.every((operation) => limited.includes(operation))
    ? []
    : [faults.fieldRule('operationRates', `for one of ${limited.join(', ')}`)];
}
