/** Exposes the simulator as an SMSC: the last four digits of the phone number select the outcome. */
import type { Logger } from 'pino';
import type { FinalState } from '../../receipts/states.ts';
import type { SmscState } from '../smpp/reports/delivery-report.ts';
import { systemTimers } from '../smpp/session/timers.ts';
import { listenAsSmsc, type Smsc, type SmscAnswer } from '../smpp/smsc/smsc.ts';
import { statuses } from '../smpp/wire/commands.ts';
import { publishedScripts } from './published-scripts.ts';
import type { Script } from './script.ts';
import { createThrottle } from './throttle.ts';

/** An SMSC's words for our states; the error code, the last three digits, tells apart those without a word. */
const words: { readonly [S in FinalState]?: SmscState } = {
  Delivered: 'DELIVRD',
  DeliveryUncertain: 'UNKNOWN',
  DeliveryImpossible: 'UNDELIV',
  AbsentSubscriber: 'EXPIRED',
  SenderBlacklisted: 'REJECTD',
  SubscriberOptedOut: 'REJECTD',
};

/** Any system_id may bind; without a configured password any is accepted. */
export function startSimulatorSmsc(
  host: string,
  port: number,
  logger: Logger,
  password?: string,
): Promise<Smsc> {
  const isThrottled = createThrottle();
  return listenAsSmsc({
    host,
    port,
    settings: { host: 'SIMULATOR_SMPP_HOST', port: 'SIMULATOR_SMPP_PORT' },
    timers: systemTimers,
    logger,
    admit: (_systemId, given) =>
      password === undefined || password === given ? statuses.ok : statuses.invalidPassword,
    answer: async ({ destination: { number } }) => {
      const script = publishedScripts.sms(`+${number}`);
      if (isThrottled(number, script.throttled ?? 0)) return { status: statuses.throttled };
      return answerOf(script, number.slice(-3));
    },
  });
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
