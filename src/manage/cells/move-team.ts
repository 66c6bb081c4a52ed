/** Moves a team to another cell: first a copy while it sends, then the rest while the proxy holds its requests. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { faults, ManagementError } from '../../platform/errors/management.ts';
import { audit } from '../audit.ts';
import type { Management } from '../management.ts';
import { type Cell, databaseOf, refuse, requireSibling } from './cell.ts';
import { addIdempotencyKeys, type Merged, mergeTable } from './merge-repository.ts';
import {
  clientIdsOf,
  countOpen,
  endMove,
  findLacking,
  findMove,
  findNeeds,
  limitClients,
  noteOptOuts,
  type Open,
  secondsSinceLeft,
  storeMove,
} from './move-repository.ts';
import { moveUnits } from './move-units.ts';
import {
  laterOptOutsTable,
  type MovedTable,
  openGrantsTable,
  optOutsTable,
  setupTables,
  useTables,
} from './team-tables.ts';

/** What changed in the other cell. */
export interface Copied extends Merged {
  idempotencyKeys: number;
}

export interface Moved extends Copied {
  /** Of all products and channels together. */
  units: number;
  /** What is still on its way in this cell. Move again when it has arrived: its refunds follow the team. */
  open: Open;
}

/** What a client can do here once its team has left: look at what was sent, cancel it, have receipts posted again. */
const scopesOfHistory = ['message.read', 'message.cancel', 'receipt.send', 'opt-out.read'];
/** Processes know the new scopes 5 s later, and a request that they let in before takes 10 s at most. */
const lastRequestSeconds = 15;

/** Copies what a team needs to send from the other cell. The team may keep sending, and the call may be repeated. */
export async function copyTeam(management: Management, to: Cell, team: string): Promise<Copied> {
  const { stage, ...databases } = await stageOf(management, to, team);
  if (stage !== 'copying') refuse(`team ${team} has left this cell`);
  return copy({ management, to, team, ...databases });
}

/**
 * Ends sending here, copies what has changed since the copy, and moves the units; later calls settle what was still on its
 * way. Each may be cut short and repeated. No request of the team may reach either cell until the first call has
 * returned.
 */
export async function moveTeam(
  management: Management,
  to: Cell,
  team: string,
  { waitSeconds = lastRequestSeconds } = {},
): Promise<Moved> {
  const { stage, ...databases } = await stageOf(management, to, team);
  const move = { management, to, team, ...databases };
  if (stage === 'copying') {
    await copy(move);
    // The copy may have taken minutes, in which somebody disabled a client or a user.
    await mergeAll(move, setupTables);
    await leave(move);
  }
  const moved = stage === 'left' ? await settle(move) : await arrive(move, waitSeconds);
  return { ...moved, open: await countOpen(management.knex, team) };
}

interface Moving {
  management: Management;
  to: Cell;
  team: string;
  /** The ids of both databases. */
  from: string;
  into: string;
}

/** `leaving`: nothing is accepted here any longer, and not yet there. `left`: the team sends from there. */
type Stage = 'copying' | 'leaving' | 'left';

async function stageOf(
  management: Management,
  to: Cell,
  team: string,
): Promise<Pick<Moving, 'from' | 'into'> & { stage: Stage }> {
  const { knex } = management;
  if ((await knex('teams').where({ id: team }).first('id')) === undefined)
    throw new ManagementError([faults.notFound('team', team)]);
  await requireSibling(management, to);
  const databases = { from: await databaseOf(knex), into: await databaseOf(to.knex) };
  const [here, there] = [await findMove(knex, team), await findMove(to.knex, team)];
  if (here?.direction === 'arriving')
    refuse(`team ${team} is on its way to this cell: move it from the one that it leaves`);
  if (here !== undefined && here.database !== databases.into)
    refuse(`team ${team} has left for another cell`);
  if (there !== undefined && there.database !== databases.from)
    refuse(`the other cell is about to get team ${team} from a third one, or gave it to one`);
  if (here !== undefined)
    return { ...databases, stage: there?.direction === 'arriving' ? 'leaving' : 'left' };
  if (there?.direction === 'left') {
    const { messages } = await countOpen(to.knex, team);
    if (messages > 0)
      refuse(`${messages} message(s) of team ${team} are still on their way in the other cell`);
  } else if (there === undefined && (await to.knex('teams').where({ id: team }).first('id')) !== undefined) {
    refuse(`the other cell has a team ${team} of its own`);
  }
  const lacking = await findLacking(to.knex, await findNeeds(knex, team));
  if (lacking.length > 0) refuse(`the other cell lacks ${lacking.join(', ')}`);
  return { ...databases, stage: 'copying' };
}

async function copy(move: Moving): Promise<Copied> {
  const { management, to, team, from, into } = move;
  // On its way back. What the last call there did not see comes along, or the copy would remove it.
  if ((await findMove(to.knex, team))?.direction === 'left')
    await settle({ management: { ...management, ...to }, to: management, team, from: into, into: from });
  const [teams, ...others] = setupTables as [MovedTable, ...MovedTable[]];
  const first = await inBoth(management.knex, to.knex, async (both) => {
    const merged = await mergeTable(both, teams, team);
    await storeMove(both.target, team, { direction: 'arriving', database: from });
    return merged;
  });
  const merged = await mergeAll(move, [...others, ...useTables]);
  return { ...sumOf([first, merged]), idempotencyKeys: await copyKeys(move) };
}

/** From now on, and at the latest when processes have heard of it, nothing of the team is accepted here. */
async function leave({ management, team, into }: Moving): Promise<void> {
  await management.knex.transaction(async (trx) => {
    await storeMove(trx, team, { direction: 'left', database: into });
    const clients = await limitClients(trx, team, scopesOfHistory);
    const after = { toDatabase: into, clients, scopes: scopesOfHistory };
    await audit(trx, management, { action: 'move', noun: 'team', id: team, team, before: null, after });
  });
}

async function arrive(move: Moving, waitSeconds: number): Promise<Omit<Moved, 'open'>> {
  const { management, to, team, from } = move;
  const rest = waitSeconds - (await secondsSinceLeft(management.knex, team));
  if (rest > 0) await delay(rest * 1_000);
  const merged = await mergeAll(move, useTables);
  const idempotencyKeys = await copyKeys(move);
  const units = await moveUnits(management.knex, to.knex, { team, into: move.into });
  await to.knex.transaction(async (trx) => {
    await endMove(trx, team);
    await audit(trx, management, {
      action: 'move',
      noun: 'team',
      id: team,
      team,
      before: null,
      after: { fromDatabase: from },
    });
  });
  return { ...merged, idempotencyKeys, units };
}

/** Grants of what was on its way follow the team; who opts out there gets nothing that is still to be sent from here. */
async function settle(move: Moving): Promise<Omit<Moved, 'open'>> {
  const { management, to, team } = move;
  const grants = await mergeAll(move, [openGrantsTable]);
  const optOuts = await inBoth(management.knex, to.knex, async ({ source, target }) => {
    const later = await mergeTable({ source, target }, laterOptOutsTable, team);
    await mergeTable({ source: target, target: source }, optOutsTable, team);
    await noteOptOuts(source, team);
    return later;
  });
  const units = await moveUnits(management.knex, to.knex, { team, into: move.into });
  return { ...sumOf([grants, optOuts]), idempotencyKeys: 0, units };
}

async function mergeAll({ management, to, team }: Moving, tables: readonly MovedTable[]): Promise<Merged> {
  const merged: Merged[] = [];
  for (const table of tables)
    merged.push(await inBoth(management.knex, to.knex, (both) => mergeTable(both, table, team)));
  return sumOf(merged);
}

async function copyKeys({ management, to, team }: Moving): Promise<number> {
  const clientIds = await clientIdsOf(management.knex, team);
  return management.knex.transaction((source) => addIdempotencyKeys(source, to.knex, clientIds));
}

/** Runs the work on a snapshot of both databases, and again if it conflicts with what a process writes. */
async function inBoth<Result>(
  source: Knex,
  target: Knex,
  work: (both: { source: Knex.Transaction; target: Knex.Transaction }) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inSnapshot(source, (ours) =>
        inSnapshot(target, (theirs) => work({ source: ours, target: theirs })),
      );
    } catch (error) {
      const { code = '', detail } = error as { code?: string; detail?: string };
      if (code === '23505') refuse(`the other cell has rows of another team with the same ids: ${detail}`);
      if (!changedMeanwhile.includes(code)) throw error;
      if (attempt === 5) refuse(`the rows to be copied keep changing: run the command again`);
    }
  }
}

/** Serialization failure, deadlock. */
const changedMeanwhile = ['40001', '40P01'];

/** Times are written alike, whatever the time zone of the database. */
function inSnapshot<Result>(knex: Knex, work: (trx: Knex.Transaction) => Promise<Result>): Promise<Result> {
  return knex.transaction(
    async (trx) => {
      await trx.raw("set local timezone to 'UTC'");
      return work(trx);
    },
    { isolationLevel: 'repeatable read' },
  );
}

const sumOf = (all: readonly Merged[]): Merged =>
  all.reduce((sum, { added, changed, removed }) => ({
    added: sum.added + added,
    changed: sum.changed + changed,
    removed: sum.removed + removed,
  }));
