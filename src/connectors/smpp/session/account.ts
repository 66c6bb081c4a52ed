/** Pauses all binds of an account that the SMSC rejected, because operators lock accounts that insist. */
import type { Logger } from 'pino';
import { statusText } from '../sending/outcomes.ts';
import { refusedDelayMs } from './backoff.ts';
import type { Timers } from './timers.ts';

export interface Account {
  /** How long no bind may be attempted. */
  waitMs: () => number;
  refused: (status: number) => void;
  taken: () => void;
}

export function createAccount(timers: Timers, logger: Logger): Account {
  let refusals = 0;
  let untilMs = 0;
  return {
    waitMs: () => Math.max(0, untilMs - timers.now()),
    refused: (status) => {
      // Rejections of binds that were attempted at the same time count as one.
      if (untilMs > timers.now()) return;
      refusals += 1;
      const delayMs = refusedDelayMs(refusals, timers.random());
      untilMs = timers.now() + delayMs;
      logger.error(
        { alarm: true, status: statusText(status), retryInSeconds: Math.round(delayMs / 1_000) },
        'the SMSC rejects the account: check system_id and password',
      );
    },
    taken: () => {
      refusals = 0;
    },
  };
}
