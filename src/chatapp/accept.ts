/** Takes a chat-app request from its facts through the rules into the database. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Intake, Taken } from '../intake/intake.ts';
import type { Accepted } from '../intake/plan.ts';
import { counted, type Limiter } from '../limits/limiter.ts';
import type { CheckReceiptRequest } from '../receipts/request.ts';
import { requireService } from '../sms/service.ts';
import type { SendChatAppTemplate } from './command.ts';
import type { ChatAppFacts } from './facts.ts';
import { parseRecipients, planMessages, requireNumber } from './plan.ts';

const operation = 'sendChatAppTemplate';

export interface ChatAppDependencies {
  /** Facts at most two seconds old. */
  loadFacts: (
    teamId: string,
    serviceId: string,
    phoneNumberId: string,
    templateId: string,
  ) => Promise<ChatAppFacts>;
  parsePhone: (written: string) => string | undefined;
  checkReceiptRequest: CheckReceiptRequest;
  limiter: Limiter;
  intake: Intake;
  clock: Clock;
}

export interface AcceptedChatApp extends Accepted {
  /** Units by template category; empty when the team is not billed. */
  units: Record<string, number>;
  /** Messages. */
  addresses: number;
}

export type AcceptChatApp = (command: SendChatAppTemplate) => Promise<Taken<AcceptedChatApp>>;

/** Rejects with what the contract publishes for `sendChatAppTemplate`; nothing is debited, stored or queued then. */
export function createAcceptChatApp(dependencies: ChatAppDependencies): AcceptChatApp {
  const { loadFacts, parsePhone, limiter, intake, clock } = dependencies;
  return (command) =>
    intake.take<AcceptedChatApp>(
      { clientId: command.caller.clientId, operation, idempotency: command.idempotency },
      async (commit) => {
        const { caller, serviceId, phoneNumberId, templateId } = command;
        const recipients = parseRecipients(command.recipients, parsePhone);
        const receiptRequest = dependencies.checkReceiptRequest(command.receiptRequest);
        const facts = await loadFacts(caller.teamId, serviceId, phoneNumberId, templateId);
        requireService(serviceId, facts.service);
        const request = { sender: caller, operation, recipients: command.recipients };
        return counted(limiter, request, async () => {
          const { phone: sender } = requireNumber(phoneNumberId, facts);
          const { messages, units } = planMessages(command, recipients, facts, clock.now());
          return commit({
            teamId: caller.teamId,
            clientId: caller.clientId,
            operation,
            resourceId: serviceId,
            sender,
            receiptRequest,
            messages,
            accepted: { requestId: randomUUID(), units, addresses: messages.length },
            idempotency: command.idempotency,
          });
        });
      },
    );
}
