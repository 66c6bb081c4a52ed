/** The receipts of this process: which it takes, which of them start now, and which it releases. */
import { nameOf, type Origin, type OwnedReceipt } from '../owned-receipt.ts';
import { createLines, type Lines } from './lines.ts';
import type { Claim } from './repository.ts';
import { createSlots, type FreeSlots, type OriginLoad, type Slots } from './slots.ts';

/** The effects of an event: receipts to post now, and ids of rows to release. */
export interface Moves {
  start: OwnedReceipt[];
  release: string[];
}

export interface Hand {
  /** Whether a receipt that is being recorded can be posted from here; keeps a place for it. */
  takes: (receipt: OwnedReceipt) => boolean;
  /** The rows of receipts that were taken exist now. */
  arrive: (receipts: readonly OwnedReceipt[]) => Moves;
  /** Ids of receipts that were taken and did not arrive since this was called before. */
  overdue: () => string[];
  /** How much a claim may take; undefined: nothing. */
  capacity: () => FreeSlots | undefined;
  claimed: (claim: Claim, capacity: FreeSlots) => Moves;
  /** A post has ended. `works`: whether its origin works; null: unknown. */
  ended: (receipt: OwnedReceipt, works: boolean | null) => Moves;
  /** Receipts that were taken or stand in line. */
  waiting: () => string[];
  /** Takes nothing more and starts nothing more; returns the ids of those that stood in line. */
  close: () => string[];
}

/**
 * Only for origins that responded successfully of late: for others a claim decides, which knows of failures,
 * parking, and everything that waits.
 */
export function createHand(): Hand {
  const slots = createSlots();
  const lines = createLines();
  /** Origins with more due receipts than fit: new ones wait behind them, where a claim finds them in order. */
  const behind = new Set<string>();
  let closed = false;

  const { begin, advance, advanceStalled } = createStarting(slots, lines, behind, () => closed);

  return {
    takes: (receipt) => {
      const name = nameOf(receipt);
      if (closed || !slots.isProven(receipt) || behind.has(name)) return false;
      if (lines.room(receipt) === 0) {
        behind.add(name);
        return false;
      }
      lines.reserve(receipt);
      return true;
    },

    arrive: (receipts) => {
      const moves: Moves = { start: [], release: [] };
      for (const receipt of receipts) {
        if (!lines.arrive(receipt) || closed) moves.release.push(receipt.id);
        else {
          lines.add(receipt);
          advance(receipt, moves);
        }
      }
      return moves;
    },

    overdue: lines.overdue,

    capacity: () => {
      const free = slots.free();
      return closed || free.limit === 0 ? undefined : withLines(free, lines);
    },

    claimed: ({ receipts, mostOfOrigin }, { origins }) => {
      const moves: Moves = { start: [], release: [] };
      // The claim found places for newcomers; proven origins share what is left.
      for (const receipt of receipts) if (!slots.isProven(receipt)) begin(receipt, moves);
      for (const receipt of receipts) if (slots.isProven(receipt)) lines.add(receipt);
      for (const origin of originsOf(receipts)) advance(origin, moves);
      const found = Map.groupBy(receipts, nameOf);
      const asked = askedOf(origins, mostOfOrigin);
      for (const name of behind)
        if ((found.get(name)?.length ?? 0) < (asked.get(name) ?? 1)) behind.delete(name);
      return moves;
    },

    ended: (receipt, works) => {
      const moves: Moves = { start: [], release: [] };
      slots.giveBack(receipt, works);
      advance(receipt, moves);
      advanceStalled(moves);
      return moves;
    },

    waiting: lines.ids,

    close: () => {
      closed = true;
      return lines.clearAll();
    },
  };
}

/** How many receipts of each origin a claim would have taken. */
function askedOf(origins: readonly OriginLoad[], mostOfOrigin: number): Map<string, number> {
  return new Map(
    origins.map((load) => [nameOf(load), Math.min((load.places ?? 0) - load.underWay, mostOfOrigin)]),
  );
}

/** Starts what waits in the lines as soon as there are places. `behind`: origins that a claim must look at. */
function createStarting(slots: Slots, lines: Lines, behind: Set<string>, isClosed: () => boolean) {
  /** Origins whose line no post of their own will advance. */
  const stalled = new Map<string, Origin>();

  const begin = (receipt: OwnedReceipt, moves: Moves) => {
    slots.take(receipt);
    moves.start.push(receipt);
  };

  const advance = (origin: Origin, moves: Moves) => {
    stalled.delete(nameOf(origin));
    if (isClosed()) return;
    if (!slots.isProven(origin)) {
      moves.release.push(...lines.clear(origin));
      behind.delete(nameOf(origin));
      return;
    }
    while (lines.waiting(origin) > 0 && slots.mayStart(origin)) {
      const next = lines.next(origin);
      if (next !== undefined) begin(next, moves);
    }
    if (lines.waiting(origin) > 0 && slots.underWay(origin) === 0) stalled.set(nameOf(origin), origin);
  };

  const advanceStalled = (moves: Moves) => {
    for (const origin of [...stalled.values()]) advance(origin, moves);
  };
  return { begin, advance, advanceStalled };
}

/** Free slots, and with them the room that is left in the lines. */
function withLines({ limit, newcomerLimit, teams, origins }: FreeSlots, lines: Lines): FreeSlots {
  const withLine = (load: OriginLoad): OriginLoad => {
    if (load.places === null) return load;
    const waiting = lines.waiting(load);
    const startable = Math.max(0, load.places - load.underWay - waiting);
    const underWay = load.underWay + waiting;
    return { ...load, underWay, places: underWay + startable + lines.room(load), startable };
  };
  return {
    limit: limit + lines.free(),
    newcomerLimit: Math.min(newcomerLimit, limit),
    teams: teams.map((team) => ({ ...team, underWay: team.underWay + lines.waitingOfTeam(team.teamId) })),
    origins: origins.map(withLine),
  };
}

function originsOf(receipts: readonly OwnedReceipt[]): Iterable<Origin> {
  return new Map(receipts.map((receipt) => [nameOf(receipt), receipt])).values();
}
