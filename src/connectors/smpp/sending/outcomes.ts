/** Maps the command_status of a submit_sm_resp to the outcome of the part (SMPP 3.4 section 5.1.3). */
import type { NetworkState } from '../../../model/states.ts';
import { statuses } from '../wire/commands.ts';

export type Outcome =
  | { kind: 'accepted' }
  /** The bind sends too fast: send the same part again, slower. */
  | { kind: 'throttled' }
  /** This destination's queue is full: retry later. */
  | { kind: 'queueFull' }
  /** Worth a limited number of retries. */
  | { kind: 'retry' }
  /** The SMSC considers us unbound: send the same part again, after a new bind. */
  | { kind: 'rebind' }
  | { kind: 'refused'; state: NetworkState; reason: string };

const refused = (state: NetworkState, reason: string): Outcome => ({ kind: 'refused', state, reason });

const outcomes: ReadonlyMap<number, Outcome> = new Map([
  [statuses.ok, { kind: 'accepted' }],
  [statuses.invalidBindState, { kind: 'rebind' }],
  [statuses.systemError, { kind: 'retry' }],
  [statuses.submitFailed, { kind: 'retry' }],
  [statuses.receiverTemporaryError, { kind: 'retry' }],
  [statuses.throttled, { kind: 'throttled' }],
  [statuses.queueFull, { kind: 'queueFull' }],
  [statuses.invalidSource, refused('Failed', 'The network refused the sender')],
  [statuses.invalidDestination, refused('InvalidMsisdn', 'The network refused the number')],
  [statuses.invalidNumberOfDestinations, refused('Failed', 'The network refused the number of recipients')],
  [statuses.invalidListName, refused('Failed', 'The network refused the distribution list')],
  [statuses.receiverPermanentError, refused('Failed', 'The network refused the message for good')],
  [statuses.receiverRejected, refused('Failed', 'The network rejected the message')],
  [statuses.invalidOptionalParameterValue, refused('Failed', 'The network refused an optional parameter')],
]);

/** A status that is not in this table may be temporary. */
export function outcomeOf(status: number): Outcome {
  return outcomes.get(status) ?? { kind: 'retry' };
}

/** A bind rejected like this will be rejected again, and too many attempts can lock the account. */
export function isRefusedAccount(status: number): boolean {
  return (
    status === statuses.bindFailed ||
    status === statuses.invalidPassword ||
    status === statuses.invalidSystemId
  );
}

/** As operators quote it. */
export function statusText(status: number): string {
  return `0x${status.toString(16).toUpperCase().padStart(8, '0')}`;
}
