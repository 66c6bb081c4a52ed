/** Receipts that this process owns and has no place for yet: a line for each origin, in bounded memory. */
import { nameOf, type Origin, type OwnedReceipt } from '../owned-receipt.ts';

export interface Lines {
  /** How many more receipts of an origin may wait. */
  room: (origin: Origin) => number;
  /** How many more may wait in all lines. */
  free: () => number;
  /** Reserves a place for a receipt whose row is being written. */
  reserve: (receipt: OwnedReceipt) => void;
  /** The row exists: ends the reservation. False: it had already ended. */
  arrive: (receipt: OwnedReceipt) => boolean;
  /** Ends the reservations from before the last call, whose rows may never have been written; returns their ids. */
  overdue: () => string[];
  add: (receipt: OwnedReceipt) => void;
  /** Takes the first out of an origin's line. */
  next: (origin: Origin) => OwnedReceipt | undefined;
  /** Ends an origin's line; returns the ids of those that were in it. */
  clear: (origin: Origin) => string[];
  clearAll: () => string[];
  waiting: (origin: Origin) => number;
  waitingOfTeam: (teamId: string) => number;
  /** Of all waiting and reserved receipts. */
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
  /** Waiting and reserved ones. */
  const counts = createTeamCounts();
  const reserved = new Map<string, { receipt: OwnedReceipt; late: boolean }>();

  /** Counts what has left a line, and forgets an empty line. */
  const shrink = (name: string, line: Line, by: number) => {
    counts.add(line.teamId, -by);
    if (line.queue.length === 0 && line.reserved === 0) lines.delete(name);
  };
  const unreserve = (receipt: OwnedReceipt): boolean => {
    if (!reserved.delete(receipt.id)) return false;
    const line = lineIn(lines, receipt);
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
      const ofTeam = mostInAll - counts.inAll() - counts.of(origin.teamId);
      return Math.max(0, Math.min(ofOrigin, ofTeam));
    },
    free: () => Math.max(0, mostInAll - counts.inAll()),
    reserve: (receipt) => {
      reserved.set(receipt.id, { receipt, late: false });
      lineIn(lines, receipt).reserved += 1;
      counts.add(receipt.teamId, 1);
    },
    arrive: unreserve,
    overdue: () => {
      const late = [...reserved.values()].filter((kept) => kept.late).map(({ receipt }) => receipt);
      for (const receipt of late) unreserve(receipt);
      for (const kept of reserved.values()) kept.late = true;
      return late.map(({ id }) => id);
    },
    add: (receipt) => {
      lineIn(lines, receipt).queue.push(receipt);
      counts.add(receipt.teamId, 1);
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
    waitingOfTeam: counts.of,
    ids: () => [...reserved.keys(), ...[...lines.values()].flatMap(({ queue }) => queue.map(({ id }) => id))],
  };
}

function lineIn(lines: Map<string, Line>, origin: Origin): Line {
  const name = nameOf(origin);
  const known = lines.get(name);
  if (known !== undefined) return known;
  const line = { teamId: origin.teamId, queue: [], reserved: 0 };
  lines.set(name, line);
  return line;
}

function createTeamCounts() {
  const teams = new Map<string, number>();
  let inAll = 0;
  return {
    inAll: () => inAll,
    of: (teamId: string) => teams.get(teamId) ?? 0,
    add: (teamId: string, change: number) => {
      inAll += change;
      const left = (teams.get(teamId) ?? 0) + change;
      if (left > 0) teams.set(teamId, left);
      else teams.delete(teamId);
    },
  };
}
