/** A simulated bundle provider: the last four digits of the phone number select the outcome. */
import type { FinalState } from '../../receipts/states.ts';
import type { Connector, HandOver, OutboundMessage } from '../contract/connector.ts';
import type { ConnectorKind } from '../contract/kind.ts';
import { createThrottle } from '../runtime/throttle.ts';
import type { ProvisionBook } from './bundle-simulator-repository.ts';

const reported = (state: FinalState, afterSeconds = 0): HandOver => ({
  kind: 'accepted',
  reports: [{ state, afterSeconds }],
});

const refused = (state: FinalState, reason: string, reasonCode: string): HandOver => ({
  kind: 'rejected',
  state,
  reason: `The simulator refused the bundle: ${reason}`,
  reasonCode,
});

const delivered = reported('Delivered');

/** The published outcomes; every other number gets its bundle at once. */
const outcomes: Readonly<Record<string, HandOver>> = {
  '0001': refused('Failed', 'failed', '0001'),
  '0002': refused('Failed', 'absent subscriber', '0002'),
  '0003': refused('Failed', 'blacklisted', '0003'),
  '0004': refused('Failed', 'opted out', '0004'),
  '0005': refused('InvalidMsisdn', 'invalid number', '0005'),
  '0006': refused('InvalidDenomination', 'no such bundle', '0006'),
  '0007': reported('Uncertain'),
  '0008': { kind: 'accepted' },
  '0009': reported('Delivered', 30),
};

const outcomeOf = ({ phone }: OutboundMessage): HandOver => outcomes[phone.slice(-4)] ?? delivered;

/** Gives a bundle out as often as it is told to: that each is given once is our own care. */
export function createBundleSimulator(book: ProvisionBook): Connector {
  const throttle = createThrottle();
  return {
    send: async (messages) => {
      const answers = messages.map((message) => throttle(message) ?? outcomeOf(message));
      await book.enter(
        messages.filter((_, index) => answers[index]?.kind === 'accepted').map(({ id }) => id),
      );
      return answers;
    },
    ask: async (messages) => {
      const provisioned = await book.find(messages.map(({ id }) => id));
      return messages.map((message) =>
        provisioned.has(message.id) ? outcomeOf(message) : { kind: 'unknown' },
      );
    },
  };
}

export const bundleSimulatorKind: ConnectorKind = {
  settingsSchema: { properties: {} },
  secretNames: [],
  open: (_settings, _secrets, { provisions }) => {
    if (provisions === undefined) throw new Error('there are no books of provisions');
    return createBundleSimulator(provisions);
  },
};
