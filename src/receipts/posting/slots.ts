/** Shares the posts under way between teams, then between the origins of each: few for a new origin, more with every success. */

import type { Origin } from '../owned-receipt.ts';

export interface TeamLoad {
  teamId: string;
  underWay: number;
  /** Of `underWay`: posts to origins that are not proven. */
  newcomersUnderWay: number;
  /** Most posts to such origins. */
  newcomerPlaces: number;
}

export interface OriginLoad extends Origin {
  underWay: number;
  /** Most posts to this origin; null if it is not proven: it has not responded successfully of late. */
  places: number | null;
  /** Of those that a claim takes: how many are posted at once; the others wait in line. Absent: all of them. */
  startable?: number;
}

/** What a claim may take. Teams and origins that are not listed have nothing under way and are not proven. */
export interface FreeSlots {
  limit: number;
  newcomerLimit: number;
  teams: readonly TeamLoad[];
  origins: readonly OriginLoad[];
}

export interface Slots {
  free: () => FreeSlots;
  /** Whether a proven origin may have one more post now: it has a place, and its team no more than its share. */
  mayStart: (origin: Origin) => boolean;
  /** It responded successfully of late. */
  isProven: (origin: Origin) => boolean;
  /** Posts to this origin. */
  underWay: (origin: Origin) => number;
  take: (origin: Origin) => void;
  /** `works`: whether the origin works; null: unknown. */
  giveBack: (origin: Origin, works: boolean | null) => void;
}

interface Team {
  /** Posts by origin. */
  underWay: Map<string, number>;
  /** Posts to all of them. */
  total: number;
  /** Places of the proven origins; whose post ended last comes last. */
  proven: Map<string, number>;
  newcomerPlaces: number;
}

const slots = 1_024;
/** However many endpoints swallow posts, the other half is left for those that respond. */
const newcomerSlots = 512;
/** Of an origin that is not proven. */
export const newcomerPlaces = 2;
const mostPlaces = 16;
/** A team whose newcomers fail again and again has fewer places for them, down to these. */
const fewestNewcomerPlaces = 32;
/** Bounds what a claim is told. One that is forgotten is a newcomer again. */
const originsRemembered = 500;

export function createSlots(): Slots {
  const teams = new Map<string, Team>();
  let remembered = 0;
  let underWayInAll = 0;

  const learn = (team: Team, key: string, works: boolean) => {
    const before = team.proven.get(key);
    const places = works ? Math.min((before ?? newcomerPlaces) * 2, mostPlaces) : (before ?? 0) >> 1;
    if (before === undefined)
      team.newcomerPlaces = works
        ? Math.min(team.newcomerPlaces * 2, newcomerSlots)
        : Math.max(team.newcomerPlaces - 1, fewestNewcomerPlaces);
    if (team.proven.delete(key)) remembered -= 1;
    if (places <= newcomerPlaces) return;
    team.proven.set(key, places);
    remembered += 1;
    if (remembered > originsRemembered) {
      forgetOne(teams.values());
      remembered -= 1;
    }
  };

  return {
    free: () => {
      const loads = [...teams].map(([teamId, team]) => loadOf(teamId, team));
      const sum = (key: 'underWay' | 'newcomersUnderWay') =>
        loads.reduce((total, load) => total + load[key], 0);
      return {
        limit: Math.max(0, slots - sum('underWay')),
        newcomerLimit: Math.max(0, newcomerSlots - sum('newcomersUnderWay')),
        teams: loads,
        origins: [...teams].flatMap(([teamId, team]) => originLoadsOf(teamId, team)),
      };
    },

    mayStart: ({ teamId, originKey }) => {
      const team = teams.get(teamId);
      if (team === undefined) return false;
      const { proven, underWay, total } = team;
      // A team may have as many posts as are still free.
      return (proven.get(originKey) ?? 0) > (underWay.get(originKey) ?? 0) && total < slots - underWayInAll;
    },

    isProven: ({ teamId, originKey }) => teams.get(teamId)?.proven.has(originKey) ?? false,

    underWay: ({ teamId, originKey }) => teams.get(teamId)?.underWay.get(originKey) ?? 0,

    take: ({ teamId, originKey }) => {
      const team = teamIn(teams, teamId);
      team.underWay.set(originKey, (team.underWay.get(originKey) ?? 0) + 1);
      team.total += 1;
      underWayInAll += 1;
    },

    giveBack: ({ teamId, originKey }, works) => {
      const team = teamIn(teams, teamId);
      const left = (team.underWay.get(originKey) ?? 0) - 1;
      if (left > 0) team.underWay.set(originKey, left);
      else team.underWay.delete(originKey);
      team.total -= 1;
      underWayInAll -= 1;
      if (works !== null) learn(team, originKey, works);
      if (team.underWay.size === 0 && team.proven.size === 0) teams.delete(teamId);
    },
  };
}

function teamIn(teams: Map<string, Team>, teamId: string): Team {
  const known = teams.get(teamId);
  if (known !== undefined) return known;
  const team = { underWay: new Map(), total: 0, proven: new Map(), newcomerPlaces: newcomerSlots };
  teams.set(teamId, team);
  return team;
}

/**
 * Drops the origin that was silent for the longest time, of the team with the most origins: no team pushes out
 * another's.
 */
function forgetOne(teams: Iterable<Team>): void {
  let largest: Map<string, number> | undefined;
  for (const { proven } of teams) if (proven.size > (largest?.size ?? 0)) largest = proven;
  const [longestSilent] = largest?.keys() ?? [];
  if (longestSilent !== undefined) largest?.delete(longestSilent);
}

function loadOf(teamId: string, team: Team): TeamLoad {
  let underWay = 0;
  let newcomersUnderWay = 0;
  for (const [key, posts] of team.underWay) {
    underWay += posts;
    if (!team.proven.has(key)) newcomersUnderWay += posts;
  }
  return { teamId, underWay, newcomersUnderWay, newcomerPlaces: team.newcomerPlaces };
}

function originLoadsOf(teamId: string, { underWay, proven }: Team): OriginLoad[] {
  return [...new Set([...proven.keys(), ...underWay.keys()])].map((originKey) => ({
    teamId,
    originKey,
    underWay: underWay.get(originKey) ?? 0,
    places: proven.get(originKey) ?? null,
  }));
}
