/** Manages teams, which own units, clients and services. */
import { requireNone } from '../../errors/management.ts';
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
  /** Days until texts, receipts and numbers are erased, if sooner than the settings say; null: as they say. */
  textDays?: number | null | undefined;
  receiptDays?: number | null | undefined;
  numberDays?: number | null | undefined;
}

export async function changeTeam(
  management: Management,
  id: string,
  { name, ratePerSecond, textDays, receiptDays, numberDays }: TeamEdit,
  version?: string,
): Promise<Team> {
  requireNone([
    ...textFaults('name', name, rules.name),
    ...rangeFaults('ratePerSecond', ratePerSecond, ranges.ratePerSecond),
    ...rangeFaults('textDays', textDays, ranges.days),
    ...rangeFaults('receiptDays', receiptDays, ranges.days),
    ...rangeFaults('numberDays', numberDays, ranges.days),
  ]);
  return changeResource(management, kind, id, { action: 'change', version }, (_before, trx) =>
    updateTeam(trx, id, { name, ratePerSecond, textDays, receiptDays, numberDays }),
  );
}

export async function listTeams(
  { knex, team }: Management,
  { after, limit }: Page = {},
): Promise<CountedTeam[]> {
  return listStored(knex, { id: team, after, limit });
}
