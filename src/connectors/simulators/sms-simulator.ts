/** A simulated SMS network: the last four digits of the phone number select the outcome. */
import type { FinalState } from '../../receipts/states.ts';
import type { Connector, HandOver } from '../contract/connector.ts';
import type { ConnectorKind } from '../contract/kind.ts';
import { createThrottle } from '../runtime/throttle.ts';

const reported = (state: FinalState, afterSeconds = 0): HandOver => ({
  kind: 'accepted',
  reports: [{ state, afterSeconds }],
});

const delivered = reported('Delivered');

/** The published outcomes; every other number is delivered at once. */
const outcomes: Readonly<Record<string, HandOver>> = {
  '0001': {
    kind: 'rejected',
    state: 'Failed',
    reason: 'The simulator refused the message',
    reasonCode: '0001',
  },
  '0002': reported('AbsentSubscriber'),
  '0003': reported('SenderBlacklisted'),
  '0004': reported('SubscriberOptedOut'),
  '0005': {
    kind: 'rejected',
    state: 'InvalidMsisdn',
    reason: 'The simulator refused the number',
    reasonCode: '0005',
  },
  '0006': reported('DeliveryImpossible'),
  '0007': reported('DeliveryUncertain'),
  '0008': { kind: 'accepted' },
  '0009': reported('Delivered', 30),
};

export function createSimulator(): Connector {
  const throttle = createThrottle();
  return {
    send: async (messages) =>
      messages.map((message) => throttle(message) ?? outcomes[message.phone.slice(-4)] ?? delivered),
  };
}

export const simulatorKind: ConnectorKind = {
  settingsSchema: { properties: {} },
  secretNames: [],
  open: createSimulator,
};
