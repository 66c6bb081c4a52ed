/**
 * The clock of a sandbox, which can be moved: that of the code and that of the database together. A setting, a table or a
 * header for it in the service would be a way to move the clock of production.
 */
import type { Knex } from 'knex';
import { type Clock, type Stopwatch, systemClock } from '../../../platform/clock.ts';

export interface SandboxClock extends Clock, Stopwatch {
  /** How far it is ahead of the machine. */
  aheadMs: () => number;
  /** Moves on to this instant, in milliseconds since 1970. */
  moveTo: (ms: number) => Promise<void>;
  /** Sets it back to the present of the machine. */
  reset: () => Promise<void>;
}

export function createSandboxClock(knex: Knex): SandboxClock {
  let aheadMs = 0;
  /** Time that only passes: what was measured before the clock was set back stays in the past. */
  let passedMs = 0;
  const set = async (ms: number) => {
    await moveDatabase(knex, ms);
    passedMs += Math.max(0, ms - aheadMs);
    aheadMs = ms;
  };
  return {
    now: () => systemClock.now() + aheadMs,
    elapsedMs: () => systemClock.elapsedMs() + passedMs,
    aheadMs: () => aheadMs,
    moveTo: (ms) => set(Math.max(aheadMs, ms - systemClock.now())),
    reset: () => set(0),
  };
}

/** All statements, column defaults and functions of the service read the time from this function. */
async function moveDatabase(knex: Knex, aheadMs: number): Promise<void> {
  await knex.raw(`create or replace function service_now() returns timestamptz language sql stable parallel safe
    as $body$ select now() + interval '${Math.round(aheadMs)} milliseconds' $body$`);
}
