/** The simulated SMS network as an SMSC: it does with each message what the script of its number says. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { repliesTo, type Script, type ScriptOf } from '../../../connectors/simulators/script.ts';
import { createThrottle } from '../../../connectors/simulators/throttle.ts';
import { readPhoneMessage } from '../../../connectors/smpp/inbound/phone-message.ts';
import type { SmscState } from '../../../connectors/smpp/reports/delivery-report.ts';
import { systemTimers } from '../../../connectors/smpp/session/timers.ts';
import type { ShortMessage } from '../../../connectors/smpp/wire/bodies.ts';
import { statuses } from '../../../connectors/smpp/wire/commands.ts';
import type { NetworkState } from '../../../model/states.ts';
import type { Address } from '../../../platform/bind.ts';
import { listenAsSmsc, type Smsc, type SmscAnswer } from './smsc.ts';

/** An SMSC's words for our states; the error code, the last three digits, tells apart those without a word. */
const words: { readonly [S in NetworkState]?: SmscState } = {
  Delivered: 'DELIVRD',
  DeliveryUncertain: 'UNKNOWN',
  DeliveryImpossible: 'UNDELIV',
  AbsentSubscriber: 'EXPIRED',
  SenderBlacklisted: 'REJECTD',
  SubscriberOptedOut: 'REJECTD',
};

/** Accepts any system_id and password. */
export function startSimulatedSmsc(address: Address, scriptOf: ScriptOf, logger: Logger): Promise<Smsc> {
  const isThrottled = createThrottle();
  return listenAsSmsc({
    ...address,
    timers: systemTimers,
    logger,
    admit: () => statuses.ok,
    answer: async (message) => {
      const { number } = message.destination;
      const script = scriptOf(`+${number}`);
      if (isThrottled(number, script.throttled ?? 0)) return { status: statuses.throttled };
      const replies = isLaterPart(message) ? [] : repliesTo(randomUUID(), script);
      return {
        ...answerOf(script, number.slice(-3)),
        replies: replies.map(({ text, afterSeconds }) => ({ text, afterMs: afterSeconds * 1_000 })),
      };
    },
  });
}

/** People reply to a long text once. */
function isLaterPart(message: ShortMessage): boolean {
  const { body } = readPhoneMessage(message, { defaultAlphabet: 'gsm7', repeatedWithinSeconds: 0 });
  return 'part' in body && body.part.number > 1;
}

function answerOf({ rejected, reports: [report] }: Script, error: string): SmscAnswer {
  if (rejected !== undefined)
    return {
      status:
        rejected.state === 'InvalidMsisdn' ? statuses.invalidDestination : statuses.receiverPermanentError,
    };
  const state = report === undefined || report.state === 'Sent' ? undefined : words[report.state];
  if (report === undefined || state === undefined) return { status: statuses.ok };
  return {
    status: statuses.ok,
    report: { state, error: state === 'DELIVRD' ? '000' : error, afterMs: report.afterSeconds * 1_000 },
  };
}
