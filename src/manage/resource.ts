/** What can be done with every kind of resource: listed, read, created and changed, as its definition says. */
import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import {
  type Change,
  type Given,
  type New,
  type Properties,
  type Row,
  type Rows,
  rowsOf,
  type Selection,
} from '../platform/db/rows.ts';
import {
  type Fault,
  faults,
  ManagementError,
  type Noun,
  requireNone,
} from '../platform/errors/management.ts';
import { errors } from '../platform/errors.ts';
import { own } from '../platform/text/own.ts';
import { audit } from './audit.ts';
import type { Management } from './management.ts';
import { versionOf } from './version.ts';

/** All that there is to say of a kind of resource; its columns are in the schema of the database. */
export interface Definition<P extends Properties, View extends object> {
  noun: Noun;
  table: string;
  /** The primary key. */
  key: keyof P & string;
  /** Each with its type, who sets it and what a new resource has. */
  properties: P;
  /** The property with the team that owns it. Absent: it is the platform's, and every caller may read it. */
  owner?: keyof P & string;
  /** What no team owns, users of every team may read. */
  commons?: boolean;
  /** What only users of the platform set; the document says so with `x-platform`. */
  platform?: readonly (keyof P & string)[];
  /** What it is listed in the order of, if not of its key. */
  order?: readonly string[];
  /** What is wrong with it, once created or changed. The schema of the contract has been checked. */
  check?: (after: Given<P>, context: Context<P>) => readonly Fault[] | Promise<readonly Fault[]>;
  /** What follows from its new state, such as that it needs approval, or another way to write a value. */
  settle?: (after: Given<P>, context: Context<P>) => Partial<Row<P>>;
  /** What callers and the audit log see: no secrets. All of it if omitted. */
  view?: (row: Row<P>) => View;
}

export interface Context<P extends Properties> {
  trx: Knex.Transaction;
  management: Management;
  /** Undefined for a new one. */
  before: Row<P> | undefined;
}

/** A part of a list, of one team or of all that the caller sees. */
export type Listed<P extends Properties> = { team?: string | undefined } & Omit<Selection<P>, 'where'> &
  NonNullable<Selection<P>['where']>;

/** How a change is made: the word in the audit log, and the version that it must still have. */
export interface ChangeOptions {
  action: string;
  /** Fails as stale unless `versionOf` the view is this. */
  version?: string | undefined;
}

/** Functions that throw a ManagementError with all faults, and change nothing then. */
export interface Resource<P extends Properties, View extends object> extends Definition<P, View> {
  rows: Rows<P>;
  view: (row: Row<P>) => View;
  list: (management: Management, part?: Listed<P>) => Promise<View[]>;
  get: (management: Management, id: string) => Promise<View>;
  /** `kept`: what no caller gives, such as the hash of a secret. */
  create: (management: Management, given: New<P>, kept?: Partial<Row<P>>) => Promise<View>;
  change: (management: Management, id: string, change: Change<P>, version?: string) => Promise<View>;
  /** For changes with a name: `how` gets the row with its lock held, and returns what it sets. */
  update: (
    management: Management,
    id: string,
    options: ChangeOptions,
    how: (before: Row<P>, trx: Knex.Transaction) => Partial<Row<P>> | Promise<Partial<Row<P>>>,
  ) => Promise<View>;
  /** `check` gets the row with its lock held. */
  remove: (
    management: Management,
    id: string,
    version: string | undefined,
    check: (trx: Knex.Transaction) => Promise<void>,
  ) => Promise<void>;
}

export function resource<P extends Properties, View extends object = Row<P>>(
  definition: Definition<P, View>,
): Resource<P, View> {
  const {
    noun,
    table,
    key,
    properties,
    owner,
    commons = false,
    platform = [],
    order,
    check,
    settle,
  } = definition;
  const view = definition.view ?? ((row: Row<P>) => row as unknown as View);
  const rows = rowsOf(table, key, properties, order);
  const teamOf = (row: Partial<Row<P>>): string | null => (owner === undefined ? null : row[owner]) ?? null;

  async function require(
    knex: Knex,
    team: string | undefined,
    id: string,
    use: 'read' | 'change' = 'change',
  ): Promise<Row<P>> {
    const found = await rows.find(knex, id);
    const isCommon = commons && use === 'read' && found !== undefined && teamOf(found) === null;
    const visible =
      team === undefined || owner === undefined || isCommon || (found && teamOf(found) === team);
    if (found === undefined || !visible) throw new ManagementError([faults.notFound(noun, id)]);
    return found;
  }

  async function locked(trx: Knex.Transaction, { team }: Management, id: string, version?: string) {
    await trx(table).where(key, id).forUpdate().select(key);
    const before = await require(trx, team, id);
    if (version !== undefined && versionOf(view(before)) !== version)
      throw new ManagementError([faults.changedMeanwhile(noun, id)]);
    return before;
  }

  function requirePlatform(given: Partial<Row<P>>, { before, management: { team } }: Context<P>): void {
    for (const name of platform) {
      const value = own(given, name);
      const former = before === undefined ? properties[name]?.initially : before[name];
      if (team !== undefined && value !== undefined && !isDeepStrictEqual(value, former))
        throw errors.platformOnly(`set ${name}`);
    }
  }

  /** The changes with what follows from them, once nothing is wrong. */
  async function settled(given: Partial<Row<P>>, context: Context<P>): Promise<Partial<Row<P>>> {
    const { before, trx, management } = context;
    requirePlatform(given, context);
    const after = { ...before, ...withoutUndefined(given) } as unknown as Given<P>;
    const follows = settle?.(after, context) ?? {};
    const team = before === undefined && owner !== undefined && owner !== key ? given[owner] : undefined;
    requireNone([
      ...((await check?.({ ...after, ...follows }, context)) ?? []),
      ...(typeof team === 'string' ? await teamFaults(trx, management, team) : []),
    ]);
    return { ...given, ...follows };
  }

  async function update(
    management: Management,
    id: string,
    { action, version }: ChangeOptions,
    how: (before: Row<P>, trx: Knex.Transaction) => Partial<Row<P>> | Promise<Partial<Row<P>>>,
  ): Promise<View> {
    return management.knex.transaction(async (trx) => {
      const before = await locked(trx, management, id, version);
      const changed = await rows.update(trx, before, await how(before, trx));
      if (action === 'change' && !changed) return view(before);
      const after = await require(trx, undefined, id);
      const shown = { before: view(before), after: view(after) };
      await audit(trx, management, { action, noun, id, team: teamOf(after), ...shown });
      return shown.after;
    });
  }

  return {
    ...definition,
    rows,
    view,
    update,

    async list(management, { team, after, limit, ...filter } = {}) {
      const ofTeam = owner === undefined ? undefined : await listedTeam(management, team);
      const where = ofTeam === undefined ? filter : { ...filter, [owner as string]: ofTeam };
      const part = {
        where: where as NonNullable<Selection<P>['where']>,
        orNull: commons ? owner : undefined,
        after,
        limit,
      };
      return (await rows.list(management.knex, part)).map(view);
    },

    async get({ knex, team }, id) {
      return view(await require(knex, team, id, 'read'));
    },

    async create(management, given, kept = {}) {
      return management.knex.transaction(async (trx) => {
        const complete = rows.completed(given) as Partial<Row<P>>;
        const id = String(complete[key]);
        const row = await settled(complete, { trx, management, before: undefined });
        if (!(await rows.insert(trx, { ...row, ...kept })))
          throw new ManagementError([faults.alreadyExists(noun, id)]);
        const created = await require(trx, undefined, id);
        const after = view(created);
        await audit(trx, management, {
          action: 'create',
          noun,
          id,
          team: teamOf(created),
          before: null,
          after,
        });
        return after;
      });
    },

    change: (management, id, change, version) =>
      update(management, id, { action: 'change', version }, (before, trx) =>
        settled(change as Partial<Row<P>>, { trx, management, before }),
      ),

    async remove(management, id, version, check) {
      await management.knex.transaction(async (trx) => {
        const before = await locked(trx, management, id, version);
        await check(trx);
        await trx(table).where(key, id).delete();
        const team = teamOf(before);
        await audit(trx, management, { action: 'remove', noun, id, team, before: view(before), after: null });
      });
    },
  };
}

function withoutUndefined<T extends object>(all: T): T {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as T;
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
