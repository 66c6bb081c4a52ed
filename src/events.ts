/** What happened, for operators: one function per business event, a counter and, where it matters, a log line. */
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { Plan } from './intake/plan.ts';
import type { FinishedMessage } from './receipts/states.ts';

export interface Events {
  requestAccepted: (plan: Plan) => void;
  requestRefused: (operation: string, status: number) => void;
  messageFinished: (message: FinishedMessage) => void;
  receiptAttempted: (outcome: 'delivered' | 'ended' | 'again' | 'exhausted', receiptId: string) => void;
  receiptUnsigned: (receiptId: string, clientId: string) => void;
}

/** Log lines and labels carry ids and states only: never a number, a text or a secret. */
export function createEvents(registry: Registry, logger: Logger): Events {
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const accepted = counter('tarishi_messages_accepted_total', 'Messages accepted and queued', [
    'operation',
    'channel',
  ]);
  const refused = counter('tarishi_requests_refused_total', 'Requests refused, by status', [
    'operation',
    'status',
  ]);
  const finished = counter('tarishi_messages_finished_total', 'Messages that reached a final state', [
    'channel',
    'state',
  ]);
  const attempts = counter('tarishi_receipt_attempts_total', 'Attempts to post a receipt, by outcome', [
    'outcome',
  ]);

  return {
    requestAccepted: ({ operation, accepted: { addresses } }) => {
      for (const [channel, messages] of Object.entries(addresses))
        if (messages > 0) accepted.inc({ operation, channel }, messages);
    },
    requestRefused: (operation, status) => refused.inc({ operation, status: String(status) }),
    messageFinished: ({ channel, state }) => finished.inc({ channel, state }),
    receiptAttempted: (outcome, receiptId) => {
      attempts.inc({ outcome });
      if (outcome === 'exhausted') logger.warn({ receiptId }, 'receipt gave up after its last attempt');
    },
    receiptUnsigned: (receiptId, clientId) =>
      logger.warn({ receiptId, clientId }, 'receipt was not posted: its client has no signing secret'),
  };
}
