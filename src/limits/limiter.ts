/** The rate limit of a team's operation: counted in this process and, where there are others, with them. */
import type { Stopwatch } from '../clock.ts';
import { errors } from '../errors.ts';
import type { OwnRates, SharedWindows } from './repository.ts';
import { countIn, emptyWindow, takeBack, type Window, windowMs } from './window.ts';

export interface RateLimit {
  /** Per team, in any second. */
  perSecond: number;
  /** What is counted, as the refusal says it. */
  noun: string;
}

/** Takes back what a request counted, everywhere once it resolves; never rejects. */
export type GiveBack = () => Promise<void>;

export interface Limiter {
  /**
   * Counts a request's recipients in, whole or not at all. Rejects with 429 and counts nothing when they
   * exceed the limit of the team or of the client. The returned function is for a request that is refused later on.
   */
  take: (sender: Sender, operation: string, recipients: number) => Promise<GiveBack>;
}

/** Whose recipients are counted. */
export interface Sender {
  teamId: string;
  clientId: string;
}

export type LoadRates = (teamId: string, clientId: string) => Promise<OwnRates>;

const windowsRemembered = 10_000;

/** With `shared`, what this process alone finds to be too much is refused without asking the others. */
export function createLimiter(
  limits: Readonly<Record<string, RateLimit>>,
  loadRates: LoadRates,
  clock: Stopwatch,
  shared?: SharedWindows,
): Limiter {
  const windows = new Map<string, Window>();
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
      throw refusal(limit, counted.waitMs);
    }
    return async () => {
      await giveBackHere();
      // What is not taken back leaves the window by itself within a second.
      await shared.takeBack(key, recipients, counted.bucket).catch(() => {});
    };
  };

  return {
    take: async ({ teamId, clientId }, operation, recipients) => {
      const limit = limits[operation];
      if (limit === undefined) return async () => {};
      const rates = await loadRates(teamId, clientId);
      const ofTeam = { ...limit, perSecond: rates.team ?? limit.perSecond };
      const team = () => takeFrom(`${operation} ${teamId}`, ofTeam, recipients);
      if (rates.client === null) return team();

      const ofClient = { ...limit, perSecond: rates.client };
      const giveBackClient = await takeFrom(`${operation} ${teamId} ${clientId}`, ofClient, recipients);
      const giveBackTeam = await team().catch(async (error: unknown) => {
        await giveBackClient();
        throw error;
      });
      return async () => {
        await Promise.all([giveBackClient(), giveBackTeam()]);
      };
    },
  };
}

function refusal({ perSecond, noun }: RateLimit, waitMs: number): Error {
  return errors.rateLimitExceeded(perSecond, noun, Math.max(1, Math.ceil(waitMs / 1000)));
}

function forgetIdle(windows: Map<string, Window>, nowMs: number): void {
  for (const [key, window] of windows) if (window.newest * 10 + windowMs < nowMs) windows.delete(key);
}
