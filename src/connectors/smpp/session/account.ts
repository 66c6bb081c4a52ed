/** Pauses all binds of an account that the SMSC rejected, because operators lock accounts that insist. */
import type { Logger } from 'pino';
import { statusText } from '../sending/outcomes.ts';
import { statuses } from '../wire/commands.ts';
import { refusedDelayMs } from './backoff.ts';
import type { Timers } from './timers.ts';

/** SMSCs give up a bind that is silent within minutes. */
const formerMs = 300_000;
const formerPauseMs = 15_000;

export interface Account {
  /** How long no bind may be attempted. */
  waitMs: () => number;
  refused: (status: number) => void;
  /** A process that died was bound: the SMSC may take a while to notice, and refuse another bind until then. */
  inherited: () => void;
  taken: () => void;
}

export function createAccount(timers: Timers, logger: Logger): Account {
  let refusals = 0;
  let untilMs = 0;
  let formerUntilMs = 0;
  return {
    waitMs: () => Math.max(0, untilMs - timers.now()),
    refused: (status) => {
      // Rejections of binds that were attempted at the same time count as one.
      if (untilMs > timers.now()) return;
      if (status === statuses.bindFailed && timers.now() < formerUntilMs) {
        untilMs = timers.now() + formerPauseMs;
        return;
      }
      refusals += 1;
      const delayMs = refusedDelayMs(refusals, timers.random());
      untilMs = timers.now() + delayMs;
      logger.error(
        { alarm: true, status: statusText(status), retryInSeconds: Math.round(delayMs / 1_000) },
        'the SMSC rejects the account: check system_id and password',
      );
    },
    inherited: () => {
      formerUntilMs = timers.now() + formerMs;
    },
    taken: () => {
      refusals = 0;
    },
  };
}
