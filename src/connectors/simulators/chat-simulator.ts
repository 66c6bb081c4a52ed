/** A simulated chat app: the last four digits of the phone number select the outcome. */
import type { ReportedState } from '../../receipts/states.ts';
import type { AnnouncedReport, Connector, HandOver, OutboundMessage } from '../contract/connector.ts';
import type { ConnectorKind } from '../contract/kind.ts';
import { createThrottle } from '../runtime/throttle.ts';

const report = (state: ReportedState, afterSeconds = 0): AnnouncedReport => ({ state, afterSeconds });

const read = [report('Sent'), report('Delivered', 1), report('Read', 3)];
const failed = [report('Sent'), report('Failed', 1)];

/** The published outcomes, as far as a chat app knows them; all others are delivered and read. */
const reports: Readonly<Record<string, readonly AnnouncedReport[]>> = {
  '0002': failed,
  '0003': failed,
  '0004': failed,
  '0006': failed,
  '0007': [report('Sent'), report('Uncertain', 1)],
  '0008': [],
  '0009': [report('Sent'), report('Delivered', 30), report('Read', 32)],
};

const refusals: Readonly<Record<string, string>> = {
  '0001': 'The simulator refused the message',
  '0005': 'The simulator does not know the number',
};

export function createChatSimulator(): Connector {
  const throttle = createThrottle();

  const handOver = (message: OutboundMessage): HandOver => {
    const suffix = message.phone.slice(-4);
    const reason = refusals[suffix];
    if (reason !== undefined) return { kind: 'rejected', state: 'Failed', reason, reasonCode: suffix };
    return {
      kind: 'accepted',
      networkId: `simulated.${message.id}`,
      reports: reports[suffix] ?? read,
    };
  };

  return {
    send: async (messages) => messages.map((message) => throttle(message) ?? handOver(message)),
  };
}

export const chatSimulatorKind: ConnectorKind = {
  settingsSchema: { properties: {} },
  secretNames: [],
  open: createChatSimulator,
};
