/** Creates, changes and removes one resource: in one transaction, within the caller's team, with an audit entry. */
import type { Knex } from 'knex';
import { type Fault, faults, ManagementError, type Noun, requireNone } from '../errors/management.ts';
import { audit } from './audit.ts';
import type { Management } from './management.ts';
import { rules, textFaults } from './rules.ts';
import { versionOf } from './version.ts';

/** How a kind of resource is stored and shown. */
export interface ResourceKind<Stored, View extends object = Stored & object> {
  noun: Noun;
  table: string;
  /** The primary key. */
  key: 'id' | 'name' | 'key';
  find: (knex: Knex, id: string) => Promise<Stored | undefined>;
  /** The team that owns it; null: the platform. */
  teamOf: (stored: Stored) => string | null;
  /** What callers and the audit log see: no secrets. */
  view: (stored: Stored) => View;
}

export interface ChangeOptions {
  /** The word in the audit log. */
  action: string;
  /** Fails as stale unless `versionOf` the view is this. */
  version?: string | undefined;
}

/** Throws a ManagementError if it does not exist for the caller. */
export async function getResource<Stored, View extends object>(
  { knex, team }: Pick<Management, 'knex' | 'team'>,
  kind: ResourceKind<Stored, View>,
  id: string,
): Promise<Stored> {
  const found = await kind.find(knex, id);
  if (found === undefined || (team !== undefined && kind.teamOf(found) !== team))
    throw new ManagementError([faults.notFound(kind.noun, id)]);
  return found;
}

export interface Creation {
  id: string;
  /** The owning team; null: the platform. */
  team: string | null;
  /** Of the input alone. */
  faults: readonly Fault[];
  /** Of the input beside what is stored. */
  check?: (trx: Knex.Transaction) => Promise<readonly Fault[]>;
  /** False if the id is taken. */
  insert: (trx: Knex.Transaction) => Promise<boolean>;
}

/** Reports all faults at once. */
export async function createResource<Stored, View extends object>(
  management: Management,
  kind: ResourceKind<Stored, View>,
  { id, team, faults: ofInput, check, insert }: Creation,
): Promise<View> {
  return management.knex.transaction(async (trx) => {
    const idFaults = textFaults(kind.key, id, rules.id);
    requireNone([
      ...idFaults,
      ...ofInput,
      ...(team === null ? [] : await teamFaults(trx, management, team)),
      ...((await check?.(trx)) ?? []),
    ]);
    if (!(await insert(trx))) throw new ManagementError([faults.alreadyExists(kind.noun, id)]);
    const view = kind.view(await getResource({ knex: trx, team: undefined }, kind, id));
    await audit(trx, management, { action: 'create', noun: kind.noun, id, team, before: null, after: view });
    return view;
  });
}

/** `edit` gets the row with its lock held, checks it and stores what changes. */
export async function changeResource<Stored, View extends object>(
  management: Management,
  kind: ResourceKind<Stored, View>,
  id: string,
  { action, version }: ChangeOptions,
  edit: (before: Stored, trx: Knex.Transaction) => Promise<void>,
): Promise<View> {
  return management.knex.transaction(async (trx) => {
    const before = await lockResource(trx, management, kind, id, version);
    const viewBefore = kind.view(before);
    await edit(before, trx);
    const after = await getResource({ knex: trx, team: undefined }, kind, id);
    const view = kind.view(after);
    if (action === 'change' && versionOf(view) === versionOf(viewBefore)) return view;
    await audit(trx, management, {
      action,
      noun: kind.noun,
      id,
      team: kind.teamOf(after),
      before: viewBefore,
      after: view,
    });
    return view;
  });
}

/** `remove` gets the row with its lock held, and checks that it can go. */
export async function removeResource<Stored, View extends object>(
  management: Management,
  kind: ResourceKind<Stored, View>,
  id: string,
  version: string | undefined,
  remove: (before: Stored, trx: Knex.Transaction) => Promise<void>,
): Promise<void> {
  await management.knex.transaction(async (trx) => {
    const before = await lockResource(trx, management, kind, id, version);
    await remove(before, trx);
    await audit(trx, management, {
      action: 'remove',
      noun: kind.noun,
      id,
      team: kind.teamOf(before),
      before: kind.view(before),
      after: null,
    });
  });
}

async function lockResource<Stored, View extends object>(
  trx: Knex.Transaction,
  { team }: Management,
  kind: ResourceKind<Stored, View>,
  id: string,
  version: string | undefined,
): Promise<Stored> {
  await trx(kind.table).where(kind.key, id).forUpdate().select(kind.key);
  const before = await getResource({ knex: trx, team }, kind, id);
  if (version !== undefined && versionOf(kind.view(before)) !== version)
    throw new ManagementError([faults.changedMeanwhile(kind.noun, id)]);
  return before;
}

/** A fault if the team does not exist for the caller. */
export async function teamFaults(
  knex: Knex,
  { team }: Pick<Management, 'team'>,
  id: string,
): Promise<Fault[]> {
  const own = team === undefined || team === id;
  const exists = own && (await knex('teams').where({ id }).first('id')) !== undefined;
  return exists ? [] : [faults.notFound('team', id)];
}

/** The team to list, out of the caller's and the one it asks for. Throws if that does not exist for the caller. */
export async function listedTeam(
  management: Pick<Management, 'knex' | 'team'>,
  wanted: string | undefined,
): Promise<string | undefined> {
  if (wanted !== undefined) requireNone(await teamFaults(management.knex, management, wanted));
  return wanted ?? management.team;
}
