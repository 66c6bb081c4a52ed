/** Maps the SMSC's message states to ours. */

import type { NetworkState } from '../../../model/states.ts';
import { own } from '../../../platform/text/own.ts';
import type { DeliveryReport, SmscState } from './delivery-report.ts';

/** Null: on its way; nothing is said about it until it has arrived or not. */
const states: Record<SmscState, NetworkState | null> = {
  ENROUTE: null,
  ACCEPTD: null,
  DELIVRD: 'Delivered',
  // The phone could not be reached for as long as the SMSC tried.
  EXPIRED: 'AbsentSubscriber',
  DELETED: 'Failed',
  UNDELIV: 'DeliveryImpossible',
  REJECTD: 'Failed',
  UNKNOWN: 'DeliveryUncertain',
};

const reasons: Record<SmscState, string> = {
  ENROUTE: 'The network still tries',
  ACCEPTD: 'The network took the message over',
  DELIVRD: 'The network delivered the message',
  EXPIRED: 'The phone was not reached in time',
  DELETED: 'The network deleted the message',
  UNDELIV: 'The network could not deliver the message',
  REJECTD: 'The network rejected the message',
  UNKNOWN: 'The network does not know what became of the message',
};

export interface ReportedEnd {
  state: NetworkState;
  reason?: string;
  reasonCode?: string;
}

/** Undefined for a report that is not the last one. `errorStates`: what this operator's own codes mean. */
export function endOf(
  { state, error }: DeliveryReport,
  errorStates: Readonly<Record<string, NetworkState>>,
): ReportedEnd | undefined {
  const end = states[state];
  if (end === null) return undefined;
  if (end === 'Delivered') return { state: end };
  const known = own(errorStates, error);
  const code = error === undefined || /^0*$/.test(error) ? {} : { reasonCode: error };
  return { state: known ?? end, reason: reasons[state], ...code };
}
