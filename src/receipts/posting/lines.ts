/** Receipts that this process owns and has no place for yet: a line for each origin, in bounded memory. */
import { nameOf, type Origin, type OwnedReceipt } from '../owned-receipt.ts';

export interface Lines {
  /** How many more receipts of an origin may wait. */
  room: (origin: Origin) => number;
  /** How many more may wait in all lines. */
  free: () => number;
  /** Keeps a place for a receipt whose row is being written. */
  reserve: (receipt: OwnedReceipt) => void;
  /** The row is there: gives up the place that was kept. False: it is kept no longer. */
  arrive: (receipt: OwnedReceipt) => boolean;
  /** Gives up the places kept since before the last call, for rows that may never have been written; returns their ids. */
  overdue: () => string[];
  add: (receipt: OwnedReceipt) => void;
  /** Takes the first out of an origin's line. */
  next: (origin: Origin) => OwnedReceipt | undefined;
  /** Ends an origin's line; returns the ids of those that were in it. */
  clear: (origin: Origin) => string[];
  clearAll: () => string[];
  waiting: (origin: Origin) => number;
  waitingOfTeam: (teamId: string) => number;
  /** Of all that wait, and of those that a place is kept for. */
  ids: () => string[];
}

interface Line {
  teamId: string;
  queue: OwnedReceipt[];
  reserved: number;
}

const mostInAll = 4_096;
const mostOfOrigin = 512;

export function createLines(): Lines {
  const lines = new Map<string, Line>();
  /** Waiting and reserved ones by team. */
  const teams = new Map<string, number>();
  const reserved = new Map<string, { receipt: OwnedReceipt; late: boolean }>();
  let inAll = 0;

  const lineOf = (origin: Origin): Line => {
    const name = nameOf(origin);
    const known = lines.get(name);
    if (known !== undefined) return known;
    const line = { teamId: origin.teamId, queue: [], reserved: 0 };
    lines.set(name, line);
    return line;
  };
  const count = (teamId: string, change: number) => {
    inAll += change;
    const left = (teams.get(teamId) ?? 0) + change;
    if (left > 0) teams.set(teamId, left);
    else teams.delete(teamId);
  };
  /** Counts what has left a line, and forgets the line when nothing is left. */
  const shrink = (name: string, line: Line, by: number) => {
    count(line.teamId, -by);
    if (line.queue.length === 0 && line.reserved === 0) lines.delete(name);
  };
  const unreserve = (receipt: OwnedReceipt): boolean => {
    if (!reserved.delete(receipt.id)) return false;
    const line = lineOf(receipt);
    line.reserved -= 1;
    shrink(nameOf(receipt), line, 1);
    return true;
  };
  const clear = (name: string): string[] => {
    const line = lines.get(name);
    if (line === undefined) return [];
    const ids = line.queue.splice(0).map(({ id }) => id);
    shrink(name, line, ids.length);
    return ids;
  };

  return {
    room: (origin) => {
      const line = lines.get(nameOf(origin));
      const ofOrigin = mostOfOrigin - (line === undefined ? 0 : line.queue.length + line.reserved);
      // As with places, a team may have as many as are still free.
      const ofTeam = mostInAll - inAll - (teams.get(origin.teamId) ?? 0);
      return Math.max(0, Math.min(ofOrigin, ofTeam));
    },
    free: () => Math.max(0, mostInAll - inAll),
    reserve: (receipt) => {
      reserved.set(receipt.id, { receipt, late: false });
      lineOf(receipt).reserved += 1;
      count(receipt.teamId, 1);
    },
    arrive: unreserve,
    overdue: () => {
      const late = [...reserved.values()].filter((kept) => kept.late).map(({ receipt }) => receipt);
      for (const receipt of late) unreserve(receipt);
      for (const kept of reserved.values()) kept.late = true;
      return late.map(({ id }) => id);
    },
    add: (receipt) => {
      lineOf(receipt).queue.push(receipt);
      count(receipt.teamId, 1);
    },
    next: (origin) => {
      const name = nameOf(origin);
      const line = lines.get(name);
      const receipt = line?.queue.shift();
      if (line !== undefined && receipt !== undefined) shrink(name, line, 1);
      return receipt;
    },
    clear: (origin) => clear(nameOf(origin)),
    clearAll: () => [...lines.keys()].flatMap(clear),
    waiting: (origin) => lines.get(nameOf(origin))?.queue.length ?? 0,
    waitingOfTeam: (teamId) => teams.get(teamId) ?? 0,
    ids: () => [...reserved.keys(), ...[...lines.values()].flatMap(({ queue }) => queue.map(({ id }) => id))],
  };
}
