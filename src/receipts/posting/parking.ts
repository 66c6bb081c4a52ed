/** When an origin gets no receipts but a probe, and what operators hear of it. */
import type { Events } from '../../model/events.ts';

/** An origin that fails this often in a row is parked. */
export const failuresUntilParked = 20;
/** A parked origin is probed this often. */
export const parkedSeconds = 60;

export const parkedAnew = `service_now() + interval '${parkedSeconds} s'`;

export const isParked = (origins: string) => `(${origins}.parked_until > service_now())`;

/**
 * SQL: until when a parked origin gets no attempt; null: it is not parked. One whose probe is due is still parked: its
 * other receipts wait.
 */
export const parkedUntil = (origins: string) =>
  `case when ${origins}.failures_in_a_row >= ${failuresUntilParked} then greatest(${origins}.parked_until, service_now()) end`;

/** An origin whose standing some attempts may have changed. */
export interface OriginOutcome {
  teamId: string;
  origin: string;
  /** Failures in a row, before these attempts and with them. */
  failuresBefore: number;
  failures: number;
}

export type OriginEvents = Pick<Events, 'endpointChanged'>;

/** Tells operators when an endpoint begins to fail, when it is parked, and when it works again. */
export function tellOfOrigins(outcomes: readonly OriginOutcome[], { endpointChanged }: OriginEvents): void {
  for (const { teamId, origin, failuresBefore, failures } of outcomes) {
    if (failuresBefore === 0 && failures > 0) endpointChanged('failing', teamId, origin);
    if (failuresBefore < failuresUntilParked && failures >= failuresUntilParked)
      endpointChanged('parked', teamId, origin);
    if (failuresBefore > 0 && failures === 0) endpointChanged('recovered', teamId, origin);
  }
}
