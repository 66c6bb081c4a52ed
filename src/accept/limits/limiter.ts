/** The rate limit of a team's operation: counted in this process and, where there are others, with them. */

import type { Stopwatch } from '../../platform/clock.ts';
import { createExpiringMap } from '../../platform/concurrency/expiring-map.ts';
import { errors } from '../../platform/errors.ts';
import { own } from '../../platform/text/own.ts';
import type { OwnRates, SharedWindows } from './repository.ts';
import { countedIn, countIn, emptyWindow, takeBack, type Window, windowMs } from './window.ts';

export interface RateLimit {
  /** Per team, in any second. */
  perSecond: number;
  /** The noun for what is counted, as in the error. */
  noun: string;
}

/** Undoes a request's count in all processes; never rejects. */
export type GiveBack = () => Promise<void>;

export interface Limiter {
  /**
   * Counts a request's recipients in, whole or not at all. Rejects with 429 and counts nothing when they exceed the
   * limit of the team or of the client. The returned function is for a request that is rejected later on.
   */
  take: (sender: Sender, operation: string, recipients: number) => Promise<GiveBack>;
  /** What the sender has left now, by each limit that applies to the operation; none if it has no limit. */
  states: (sender: Sender, operation: string) => Promise<RateLimitState[]>;
}

/** How a sender stands with one limit, as far as this process knows. */
export interface RateLimitState {
  /** Whose limit it is: `team` or `client`. */
  holder: string;
  perSecond: number;
  remaining: number;
}

/** Whose recipients are counted. */
export interface Sender {
  teamId: string;
  clientId: string;
}

export type LoadRates = (teamId: string, clientId: string) => Promise<OwnRates>;

const windowsRemembered = 10_000;

/** With `shared`, calls that exceed the limit in this process alone are rejected without asking the others. */
function createWindows(clock: Stopwatch, shared?: SharedWindows) {
  const windows = new Map<string, Window>();
  /** Windows that other processes have used up. */
  const filledElsewhere = createExpiringMap<true>(windowsRemembered, clock);
  const windowOf = (key: string, nowMs: number): Window => {
    const known = windows.get(key);
    if (known !== undefined) return known;
    if (windows.size >= windowsRemembered) forgetIdle(windows, nowMs);
    const window = emptyWindow();
    windows.set(key, window);
    return window;
  };

  const takeFrom = async (key: string, limit: RateLimit, recipients: number): Promise<GiveBack> => {
    const nowMs = clock.elapsedMs();
    const window = windowOf(key, nowMs);
    const giveBackHere = async () => takeBack(window, recipients, nowMs, clock.elapsedMs());

    const waitMs = countIn(window, recipients, limit.perSecond, nowMs);
    if (waitMs > 0) throw refusal(limit, waitMs);
    if (shared === undefined) return giveBackHere;

    const counted = await shared.countIn(key, recipients, limit.perSecond).catch(async (error: unknown) => {
      await giveBackHere();
      throw error;
    });
    if (counted.waitMs > 0) {
      await giveBackHere();
      filledElsewhere.set(key, true, counted.waitMs);
      throw refusal(limit, counted.waitMs);
    }
    return async () => {
      await giveBackHere();
      // A count that is not undone leaves the window by itself within a second.
      await shared.takeBack(key, recipients, counted.bucket).catch(() => {});
    };
  };

  const remainingIn = (key: string, perSecond: number): number => {
    const window = windows.get(key);
    if (filledElsewhere.get(key)) return 0;
    return Math.max(0, perSecond - (window === undefined ? 0 : countedIn(window, clock.elapsedMs())));
  };

  return { takeFrom, remainingIn };
}

export function createLimiter(
  limits: Readonly<Record<string, RateLimit>>,
  loadRates: LoadRates,
  clock: Stopwatch,
  shared?: SharedWindows,
): Limiter {
  const { takeFrom, remainingIn } = createWindows(clock, shared);

  /** The limits that apply to a sender. */
  const limitsOf = async (limit: RateLimit, { teamId, clientId }: Sender, operation: string) => {
    const rates = await loadRates(teamId, clientId);
    const perSecond = own(rates.operations, operation) ?? rates.team ?? limit.perSecond;
    const team = { key: `${operation} ${teamId}`, ...limit, perSecond };
    if (rates.client === null) return { team };
    return { team, client: { key: `${team.key} ${clientId}`, ...limit, perSecond: rates.client } };
  };

  return {
    take: async (sender, operation, recipients) => {
      const limit = own(limits, operation);
      if (limit === undefined) return async () => {};
      const { team, client } = await limitsOf(limit, sender, operation);
      const ofTeam = () => takeFrom(team.key, team, recipients);
      if (client === undefined) return ofTeam();

      const giveBackClient = await takeFrom(client.key, client, recipients);
      const giveBackTeam = await ofTeam().catch(async (error: unknown) => {
        await giveBackClient();
        throw error;
      });
      return async () => {
        await Promise.all([giveBackClient(), giveBackTeam()]);
      };
    },
    states: async (sender, operation) => {
      const limit = own(limits, operation);
      if (limit === undefined) return [];
      const found = await limitsOf(limit, sender, operation);
      return Object.entries(found).map(([holder, { key, perSecond }]) => ({
        holder,
        perSecond,
        remaining: remainingIn(key, perSecond),
      }));
    },
  };
}

function refusal({ perSecond, noun }: RateLimit, waitMs: number): Error {
  return errors.rateLimitExceeded(perSecond, noun, Math.max(1, Math.ceil(waitMs / 1000)));
}

function forgetIdle(windows: Map<string, Window>, nowMs: number): void {
  for (const [key, window] of windows) if (window.newest * 10 + windowMs < nowMs) windows.delete(key);
}
