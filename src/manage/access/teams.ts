/** Manages teams, which own units, clients and services. */
import { type Fault, faults, requireNone } from '../../errors/management.ts';
import { limitedOperations } from '../../limits/operations.ts';
import {
  type CountedTeam,
  findTeam,
  insertTeam,
  listTeams as listStored,
  type Team,
  updateTeam,
} from '../../teams/repository.ts';
import type { Management, Page } from '../management.ts';
import { changeResource, createResource, getResource, type ResourceKind } from '../resource.ts';
import { rangeFaults, ranges, rules, textFaults } from '../rules.ts';

export type { Team };

const kind: ResourceKind<Team> = {
  noun: 'team',
  table: 'teams',
  key: 'id',
  find: findTeam,
  teamOf: ({ id }) => id,
  view: (team) => team,
};

/** `name`: the id if omitted. */
export async function createTeam(
  management: Management,
  { id, name = id }: { id: string; name?: string | undefined },
): Promise<Team> {
  return createResource(management, kind, {
    id,
    team: null,
    faults: textFaults('name', name, rules.name),
    insert: (trx) => insertTeam(trx, id, name),
  });
}

export async function getTeam(management: Management, id: string): Promise<Team> {
  return getResource(management, kind, id);
}

export interface TeamEdit {
  name?: string | undefined;
  /** Recipients per second in each operation; null: what the settings say. */
  ratePerSecond?: number | null | undefined;
  /** Recipients or calls per second by operationId; replaces those that it names, null removes one. */
  operationRates?: Readonly<Record<string, number | null>> | undefined;
  /** Days until texts, receipts and numbers are erased, if sooner than the settings say; null: as they say. */
  textDays?: number | null | undefined;
  receiptDays?: number | null | undefined;
  numberDays?: number | null | undefined;
}

export async function changeTeam(
  management: Management,
  id: string,
  { name, ratePerSecond, operationRates = {}, textDays, receiptDays, numberDays }: TeamEdit,
  version?: string,
): Promise<Team> {
  requireNone([
    ...textFaults('name', name, rules.name),
    ...rangeFaults('ratePerSecond', ratePerSecond, ranges.ratePerSecond),
    ...operationRateFaults(operationRates),
    ...rangeFaults('textDays', textDays, ranges.days),
    ...rangeFaults('receiptDays', receiptDays, ranges.days),
    ...rangeFaults('numberDays', numberDays, ranges.days),
  ]);
  return changeResource(management, kind, id, { action: 'change', version }, (before, trx) =>
    updateTeam(trx, id, {
      ...{ name, ratePerSecond, textDays, receiptDays, numberDays },
      operationRates: withRates(before.operationRates, operationRates),
    }),
  );
}

function withRates(
  before: Team['operationRates'],
  change: Readonly<Record<string, number | null>>,
): Team['operationRates'] {
  const rates = Object.entries({ ...before, ...change });
  return Object.fromEntries(rates.flatMap(([operation, rate]) => (rate === null ? [] : [[operation, rate]])));
}

function operationRateFaults(rates: Readonly<Record<string, number | null>>): Fault[] {
  return Object.entries(rates).flatMap(([operation, rate]) =>
    limitedOperations.includes(operation)
      ? rangeFaults('operationRates', rate, ranges.ratePerSecond)
      : [faults.fieldRule('operationRates', `for one of ${limitedOperations.join(', ')}`)],
  );
}

export async function listTeams(
  { knex, team }: Management,
  { after, limit }: Page = {},
): Promise<CountedTeam[]> {
  return listStored(knex, { id: team, after, limit });
}
