/** Writes one line of the log for each outcome, with the phone number shortened: for a demo only. */

import type { Logger } from 'pino';
import type { Events } from '../model/events.ts';
import { isFinal } from '../model/states.ts';
import type { Stopwatch } from '../platform/clock.ts';
import { own } from '../platform/text/own.ts';

/** More of them in a second are only counted: a test of the load has thousands. */
const mostPerSecond = 10;

const products = { sms: 'SMS', data: 'Bundle', chatapp: 'Chat-app message' } as const;
const productsByReceipt: Readonly<Record<string, string>> = {
  SmsDeliveryReceipt: products.sms,
  DataDeliveryReceipt: products.data,
  ChatAppDeliveryReceipt: products.chatapp,
};

/** The events, with a line once a message is final, or its receipt was posted if it has one. */
export function withOutcomeLines(events: Events, logger: Logger, clock: Stopwatch): Events {
  const say = limited(logger, clock);
  return {
    ...events,
    stateReached: (reached) => {
      events.stateReached(reached);
      const { product, state, phone, requestId, callbackUrl } = reached;
      if (callbackUrl === null && isFinal(product, state))
        say(() => [requestId, `${products[product]} to ${shortened(phone)}: ${state}`]);
    },
    receiptAttempted: (outcome, attempt) => {
      events.receiptAttempted(outcome, attempt);
      say(() => lineOf(outcome, attempt));
    },
  };
}

type Line = [requestId: string, sentence: string];

function lineOf(
  outcome: Parameters<Events['receiptAttempted']>[0],
  { body, status, error, delaySeconds }: Parameters<Events['receiptAttempted']>[1],
): Line {
  const { type, phone, from, deliveryStatus, requestId, messageId } = JSON.parse(body);
  const posted = status === undefined ? `not posted: ${error}` : `posted: ${status}`;
  const next = outcome === 'again' ? `, next attempt in ${Math.ceil(delaySeconds)} s` : '';
  if (type === 'InboundMessage') return [messageId, `Message from ${shortened(from)} ${posted}${next}`];
  const what = `${own(productsByReceipt, type)} to ${shortened(phone)}`;
  return [requestId, `${what}: ${deliveryStatus}, receipt ${posted}${next}`];
}

function shortened(phone: string): string {
  return `${phone.slice(0, 4)}…${phone.slice(-2)}`;
}

/** `line` is asked for what is written only. */
function limited(logger: Logger, clock: Stopwatch): (line: () => Line) => void {
  let untilMs = Number.NEGATIVE_INFINITY;
  let said = 0;
  let more = 0;
  return (line) => {
    const nowMs = clock.elapsedMs();
    if (nowMs >= untilMs) {
      untilMs = nowMs + 1_000;
      said = 0;
    }
    said += 1;
    if (said <= mostPerSecond) {
      const [requestId, sentence] = line();
      logger.info({ requestId }, sentence);
      return;
    }
    more += 1;
    if (more > 1) return;
    setTimeout(() => {
      logger.info(`${more} more outcomes`);
      more = 0;
    }, untilMs - nowMs).unref();
  };
}
