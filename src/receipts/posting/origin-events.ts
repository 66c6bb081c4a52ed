/** Tells operators when an endpoint begins to fail, when it is parked, and when it works again. */
import type { Events } from '../../events.ts';
import { failuresUntilParked } from './parking.ts';
import type { OriginOutcome } from './settle-repository.ts';

export type OriginEvents = Pick<Events, 'endpointChanged'>;

export function tellOfOrigins(outcomes: readonly OriginOutcome[], { endpointChanged }: OriginEvents): void {
  for (const { teamId, origin, failuresBefore, failures } of outcomes) {
    if (failuresBefore === 0 && failures > 0) endpointChanged('failing', teamId, origin);
    if (failuresBefore < failuresUntilParked && failures >= failuresUntilParked)
      endpointChanged('parked', teamId, origin);
    if (failuresBefore > 0 && failures === 0) endpointChanged('recovered', teamId, origin);
  }
}
