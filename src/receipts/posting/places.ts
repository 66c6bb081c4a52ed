/**
 * Shares the posts under way between teams, then between the origins of each: few for an untested origin, more with
 * every success. Receipts of healthy origins that have no place yet wait here, in bounded queues.
 */
import type { Stopwatch } from '../../platform/clock.ts';
import { type ClaimedReceipt, leaseSeconds, type Origin } from './claim.ts';

export interface TeamLoad {
  teamId: string;
  /** Places that it has taken, in queues too. */
  taken: number;
  takenByUntested: number;
  /** Most places of its untested origins. */
  untestedPlaces: number;
}

export interface OriginLoad extends Origin {
  /** Places that it has taken, in its queue too. */
  taken: number;
  /** Most that it may take; null: it is untested, it has not responded successfully of late. */
  places: number | null;
  /** Of those that a claim takes: how many are posted at once; the others wait in its queue. Untested: all. */
  startable: number | null;
}

/** What a claim may take. Teams and origins that are not listed have taken nothing, and are untested. */
export interface Room {
  places: number;
  untestedPlaces: number;
  teams: readonly TeamLoad[];
  origins: readonly OriginLoad[];
}

/** What follows from an event: receipts to post now, and ids of those to give back unposted. */
export interface Moves {
  start: ClaimedReceipt[];
  release: string[];
}

export interface Places {
  /** How much a claim may take; undefined: nothing. */
  room: () => Room | undefined;
  /**
   * How many more receipts of an origin may be posted or wait here: none of one that is untested, and none after a claim
   * that left no room for it, as older ones may wait to be claimed.
   */
  leasable: (origin: Origin) => number;
  /** What a claim took, with a lease that began at `claimedMs`, by the stopwatch. */
  add: (receipts: readonly ClaimedReceipt[], claimedMs: number) => Moves;
  /** One that `leasable` was asked for. Given back if its origin has failed since, or cannot be posted to in time. */
  addLeased: (receipt: ClaimedReceipt, claimedMs: number) => Moves;
  /** A post has ended. `works`: whether its origin works; null: unknown. */
  ended: (receipt: ClaimedReceipt, works: boolean | null) => Moves;
  /** Starts nothing more; returns the ids of those that wait. */
  close: () => string[];
}

const mostPosts = 1_024;
/** However many endpoints swallow posts, the other half is left for those that respond. */
const untestedPosts = 512;
/** Of one untested origin. */
export const placesOfUntested = 2;
const mostPostsOfOrigin = 16;
/** A team whose untested origins fail again and again has fewer places for them, down to these. */
const fewestUntestedPosts = 32;
/** Bounds what a claim is told. One that is forgotten is untested again. */
const healthyRemembered = 500;
const mostQueued = 4_096;
const mostQueuedOfOrigin = 512;
/** A post that begins later may still be under way, or not recorded, when another process claims its receipt. */
const startWithinMs = (leaseSeconds * 1_000) / 2;

interface OriginState {
  posts: number;
  /** Most posts at once; null: untested. */
  places: number | null;
  queue: { receipt: ClaimedReceipt; startByMs: number }[];
  /** The last claim left no room for it. */
  full: boolean;
}

interface Team {
  posts: number;
  queued: number;
  healthy: number;
  untestedPlaces: number;
  /** The one whose post ended last comes last. */
  origins: Map<string, OriginState>;
}

export function createPlaces(stopwatch: Stopwatch): Places {
  const teams = new Map<string, Team>();
  const total = { posts: 0, queued: 0, healthy: 0 };
  /** Origins with a queue that no post of their own will move on. */
  const stalled = new Map<OriginState, Origin>();
  let closed = false;

  const begin = (team: Team, state: OriginState, receipt: ClaimedReceipt, moves: Moves) => {
    state.posts += 1;
    team.posts += 1;
    total.posts += 1;
    moves.start.push(receipt);
  };
  const enqueue = (team: Team, state: OriginState, receipt: ClaimedReceipt, startByMs: number) => {
    state.queue.push({ receipt, startByMs });
    team.queued += 1;
    total.queued += 1;
  };
  const dequeue = (team: Team, state: OriginState, count: number) => {
    team.queued -= count;
    total.queued -= count;
    return state.queue.splice(0, count);
  };

  /** Starts what waits for an origin, as far as there are places: a team may have as many as are still free. */
  const advance = (origin: Origin, moves: Moves) => {
    const [team, state] = stateOf(teams, origin);
    stalled.delete(state);
    const mayStart = () =>
      state.posts < (state.places ?? 0) && team.posts < mostPosts - total.posts && state.queue.length > 0;
    while (!closed && mayStart())
      for (const { receipt, startByMs } of dequeue(team, state, 1))
        if (stopwatch.elapsedMs() < startByMs) begin(team, state, receipt, moves);
        else moves.release.push(receipt.id);
    // For others a claim decides, which knows of failures and parking.
    if (state.places === null)
      moves.release.push(...dequeue(team, state, state.queue.length).map(({ receipt }) => receipt.id));
    if (state.queue.length > 0 && state.posts === 0) stalled.set(state, origin);
    if (state.posts === 0 && state.places === null) team.origins.delete(origin.originKey);
    if (team.origins.size === 0) teams.delete(origin.teamId);
  };

  return {
    room: () => {
      if (closed || total.posts >= mostPosts) return undefined;
      const loads = [...teams].map(([teamId, team]) => teamLoad(teamId, team));
      const untested = loads.reduce((sum, { takenByUntested }) => sum + takenByUntested, 0);
      return {
        places: mostPosts - total.posts + mostQueued - total.queued,
        untestedPlaces: Math.max(0, Math.min(untestedPosts - untested, mostPosts - total.posts)),
        teams: loads,
        origins: [...teams].flatMap(([teamId, team]) => originLoads(teamId, team, total.queued)),
      };
    },

    leasable: ({ teamId, originKey }) => {
      const team = teams.get(teamId);
      const state = team?.origins.get(originKey);
      if (closed || team === undefined || state === undefined || state.full) return 0;
      const { startable, queueable } = roomOf(team, state, total.queued);
      return startable + queueable;
    },

    add: (receipts, claimedMs) => {
      const moves: Moves = { start: [], release: [] };
      const origins = new Map<OriginState, Origin>();
      for (const receipt of receipts) {
        const [team, state] = stateOf(teams, receipt);
        if (state.places === null) begin(team, state, receipt, moves);
        else enqueue(team, state, receipt, claimedMs + startWithinMs);
        origins.set(state, receipt);
      }
      for (const team of teams.values())
        for (const state of team.origins.values()) {
          const { startable, queueable } = roomOf(team, state, total.queued);
          state.full = state.places !== null && startable + queueable === 0;
        }
      for (const origin of origins.values()) advance(origin, moves);
      return moves;
    },

    addLeased: (receipt, claimedMs) => {
      const moves: Moves = { start: [], release: closed ? [receipt.id] : [] };
      if (closed) return moves;
      const [team, state] = stateOf(teams, receipt);
      enqueue(team, state, receipt, claimedMs + startWithinMs);
      advance(receipt, moves);
      return moves;
    },

    ended: (receipt, works) => {
      const moves: Moves = { start: [], release: [] };
      const [team, state] = stateOf(teams, receipt);
      state.posts -= 1;
      team.posts -= 1;
      total.posts -= 1;
      if (works !== null) {
        total.healthy += learn(team, receipt.originKey, state, works);
        if (total.healthy > healthyRemembered) {
          total.healthy -= 1;
          for (const [forgotten, origin] of forgetOne(teams)) stalled.set(forgotten, origin);
        }
      }
      for (const origin of [receipt, ...stalled.values()]) advance(origin, moves);
      return moves;
    },

    close: () => {
      closed = true;
      const states = [...teams.values()].flatMap(({ origins }) => [...origins.values()]);
      return states.flatMap(({ queue }) => queue.splice(0).map(({ receipt }) => receipt.id));
    },
  };
}

function stateOf(teams: Map<string, Team>, { teamId, originKey }: Origin): [Team, OriginState] {
  const team = teams.get(teamId) ?? {
    ...{ posts: 0, queued: 0, healthy: 0, untestedPlaces: untestedPosts },
    origins: new Map<string, OriginState>(),
  };
  teams.set(teamId, team);
  const state = team.origins.get(originKey) ?? { posts: 0, places: null, queue: [], full: false };
  team.origins.set(originKey, state);
  return [team, state];
}

/** A success doubles the places of an origin, a failure halves them. Returns by how many there are more healthy ones. */
function learn(team: Team, originKey: string, state: OriginState, works: boolean): number {
  const before = state.places;
  if (before === null)
    team.untestedPlaces = works
      ? Math.min(team.untestedPlaces * 2, untestedPosts)
      : Math.max(team.untestedPlaces - 1, fewestUntestedPosts);
  const after = works ? (before ?? placesOfUntested) * 2 : (before ?? 0) / 2;
  state.places = after > placesOfUntested ? Math.min(after, mostPostsOfOrigin) : null;
  const more = Number(state.places !== null) - Number(before !== null);
  team.healthy += more;
  team.origins.delete(originKey);
  team.origins.set(originKey, state);
  return more;
}

/** Of the team with the most healthy origins, the one that was silent for the longest time: no team pushes out another's. */
function forgetOne(teams: Map<string, Team>): [OriginState, Origin][] {
  const [largest] = [...teams].sort(([, one], [, other]) => other.healthy - one.healthy);
  if (largest === undefined) return [];
  const [teamId, team] = largest;
  const oldest = [...team.origins].find(([, { places }]) => places !== null);
  if (oldest === undefined) return [];
  const [originKey, state] = oldest;
  state.places = null;
  team.healthy -= 1;
  return [[state, { teamId, originKey }]];
}

function teamLoad(teamId: string, { posts, queued, untestedPlaces, origins }: Team): TeamLoad {
  let takenByUntested = 0;
  for (const state of origins.values()) if (state.places === null) takenByUntested += state.posts;
  return { teamId, taken: posts + queued, takenByUntested, untestedPlaces };
}

/** How many more of an origin a claim may take: as with places, a team may have as many in queues as are still free. */
function roomOf(team: Team, { posts, places, queue }: OriginState, queuedInAll: number) {
  if (places === null) return { startable: 0, queueable: 0 };
  const ofTeam = mostQueued - queuedInAll - team.queued;
  return {
    startable: Math.max(0, places - posts - queue.length),
    queueable: Math.max(0, Math.min(mostQueuedOfOrigin - queue.length, ofTeam)),
  };
}

function originLoads(teamId: string, team: Team, queuedInAll: number): OriginLoad[] {
  return [...team.origins].map(([originKey, state]) => {
    const taken = state.posts + state.queue.length;
    if (state.places === null) return { teamId, originKey, taken, places: null, startable: null };
    const { startable, queueable } = roomOf(team, state, queuedInAll);
    return { teamId, originKey, taken, places: taken + startable + queueable, startable };
  });
}
