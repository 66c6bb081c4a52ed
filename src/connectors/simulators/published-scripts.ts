/** The published outcomes of simulated networks: the last four digits of the phone number select one. */

import type { NetworkState, ReportedState } from '../../model/states.ts';
import { own } from '../../platform/text/own.ts';
import type { Script, ScriptedReport, ScriptOf, SimulatorScripts } from './script.ts';

const after = (afterSeconds: number, state: ReportedState): ScriptedReport => ({ state, afterSeconds });
const reported = (state: ReportedState): Script => ({ reports: [after(0, state)] });
const silent: Script = { reports: [] };
const lateDelivery: Script = { reports: [after(30, 'Delivered')] };
/** A second later: then it is stored which message the person replies to. */
const stops = { replies: [{ text: 'STOP', afterSeconds: 1 }] };
const rejected = (state: NetworkState, reason: string, reasonCode: string): Script => ({
  rejected: { state, reason, reasonCode },
  reports: [],
});

interface Outcomes {
  /** By the last four digits. */
  published: Readonly<Record<string, Script>>;
  /** Of every other number. */
  other: Script;
}

const sms: Outcomes = {
  published: {
    '0001': rejected('Failed', 'The simulator refused the message', '0001'),
    '0002': reported('AbsentSubscriber'),
    '0003': reported('SenderBlacklisted'),
    '0004': reported('SubscriberOptedOut'),
    '0005': rejected('InvalidMsisdn', 'The simulator refused the number', '0005'),
    '0006': reported('DeliveryImpossible'),
    '0007': reported('DeliveryUncertain'),
    '0008': silent,
    '0009': lateDelivery,
    '0011': { ...reported('Delivered'), ...stops },
  },
  other: reported('Delivered'),
};

const bundleRejected = (state: NetworkState, reason: string, reasonCode: string) =>
  rejected(state, `The simulator refused the bundle: ${reason}`, reasonCode);

const data: Outcomes = {
  published: {
    '0001': bundleRejected('Failed', 'failed', '0001'),
    '0002': bundleRejected('Failed', 'absent subscriber', '0002'),
    '0003': bundleRejected('Failed', 'blacklisted', '0003'),
    '0004': bundleRejected('Failed', 'opted out', '0004'),
    '0005': bundleRejected('InvalidMsisdn', 'invalid number', '0005'),
    '0006': bundleRejected('InvalidDenomination', 'no such bundle', '0006'),
    '0007': reported('Uncertain'),
    '0008': silent,
    '0009': lateDelivery,
  },
  other: reported('Delivered'),
};

const chatFailed: Script = { reports: [after(0, 'Sent'), after(1, 'Failed')] };

const read: Script = { reports: [after(0, 'Sent'), after(1, 'Delivered'), after(3, 'Read')] };

const chatapp: Outcomes = {
  published: {
    '0001': rejected('Failed', 'The simulator refused the message', '0001'),
    '0002': chatFailed,
    '0003': chatFailed,
    '0004': chatFailed,
    '0005': rejected('Failed', 'The simulator does not know the number', '0005'),
    '0006': chatFailed,
    '0007': { reports: [after(0, 'Sent'), after(1, 'Uncertain')] },
    '0008': silent,
    '0009': { reports: [after(0, 'Sent'), after(30, 'Delivered'), after(32, 'Read')] },
    '0011': { ...read, ...stops },
    '0012': rejected('Failed', 'The simulator says that the person has no account', '0012'),
  },
  other: read,
};

const throttledSuffix = '0010';

const scriptIn =
  ({ published, other }: Outcomes): ScriptOf =>
  (phone) => {
    const suffix = phone.slice(-4);
    return suffix === throttledSuffix ? { ...other, throttled: 2 } : (own(published, suffix) ?? other);
  };

export const publishedScripts: SimulatorScripts = {
  sms: scriptIn(sms),
  data: scriptIn(data),
  chatapp: scriptIn(chatapp),
};
