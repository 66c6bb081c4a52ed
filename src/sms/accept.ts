/** Takes an SMS request from its facts through the rules into the database. */
import { randomUUID } from 'node:crypto';
import type { Intake, Taken } from '../intake/intake.ts';
import type { Accepted, PlannedMessage } from '../intake/plan.ts';
import { counted, type Limiter } from '../limits/limiter.ts';
import type { ChannelTable } from '../phone/channels.ts';
import type { PhoneParser } from '../phone/parse.ts';
import { routeRecipients } from '../phone/route.ts';
import type { CheckReceiptRequest } from '../receipts/request.ts';
import type { SendSms } from './command.ts';
import type { SmsFacts } from './facts.ts';
import { planMessages, senderOf } from './plan.ts';
import { requireService } from './service.ts';

const operation = 'sendSms';

export interface SmsDependencies {
  /** Facts at most two seconds old. */
  loadFacts: (teamId: string, serviceId: string, templateId: string | undefined) => Promise<SmsFacts>;
  loadChannels: () => Promise<ChannelTable>;
  parsePhone: PhoneParser;
  checkReceiptRequest: CheckReceiptRequest;
  limiter: Limiter;
  intake: Intake;
}

export interface AcceptedSms extends Accepted {
  /** Units by channel; every active channel is listed. */
  units: Record<string, number>;
  /** Messages by channel; every active channel is listed. */
  addresses: Record<string, number>;
}

export type AcceptSms = (command: SendSms) => Promise<Taken<AcceptedSms>>;

/** Rejects with what the contract publishes for `sendSms`; nothing is debited, stored or queued then. */
export function createAcceptSms(dependencies: SmsDependencies): AcceptSms {
  return (command) =>
    dependencies.intake.take(
      { clientId: command.caller.clientId, operation, idempotency: command.idempotency },
      async (commit) => {
        const { caller, serviceId, templateId } = command;
        const channels = await dependencies.loadChannels();
        const recipients = routeRecipients(command, dependencies.parsePhone, channels);
        const receiptRequest = dependencies.checkReceiptRequest(command.receiptRequest);
        const facts = await dependencies.loadFacts(caller.teamId, serviceId, templateId);
        const service = requireService(serviceId, facts.service);
        const request = { sender: caller, operation, recipients: command.recipients };
        return counted(dependencies.limiter, request, async () => {
          const messages = planMessages(command, recipients, facts);
          return commit({
            teamId: caller.teamId,
            clientId: caller.clientId,
            operation,
            resourceId: serviceId,
            sender: senderOf(service, facts),
            receiptRequest,
            messages,
            accepted: acceptedOf(messages, channels),
            idempotency: command.idempotency,
          });
        });
      },
    );
}

function acceptedOf(messages: readonly PlannedMessage[], channels: ChannelTable): AcceptedSms {
  const units: Record<string, number> = {};
  const addresses: Record<string, number> = {};
  for (const name of channels.names) {
    units[name] = 0;
    addresses[name] = 0;
  }
  for (const message of messages) {
    units[message.channel] = (units[message.channel] ?? 0) + message.units;
    addresses[message.channel] = (addresses[message.channel] ?? 0) + 1;
  }
  return { requestId: randomUUID(), units, addresses };
}
