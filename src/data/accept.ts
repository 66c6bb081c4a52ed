/** Takes a disbursement from its facts through the rules into the database. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { errors } from '../errors.ts';
import type { Intake, Taken } from '../intake/intake.ts';
import type { Accepted } from '../intake/plan.ts';
import { counted, type Limiter } from '../limits/limiter.ts';
import type { ChannelTable } from '../phone/channels.ts';
import type { PhoneParser } from '../phone/parse.ts';
import { routeRecipients } from '../phone/route.ts';
import type { CheckReceiptRequest } from '../receipts/request.ts';
import { requireService, type SmsService } from '../sms/service.ts';
import { requireAllowed, requireCampaign } from './campaign.ts';
import type { DisburseData } from './command.ts';
import type { DataFacts } from './facts.ts';
import { type Counts, countBundles, planMessages } from './plan.ts';

const operation = 'disburseMobileData';
/** What a client needs beside the operation's own scope to have an SMS sent with a bundle. */
const smsScope = 'message.sms.send.oneway';

export interface DataDependencies {
  /** Facts at most two seconds old. */
  loadFacts: (teamId: string, campaignId: string, smsServiceId: string | undefined) => Promise<DataFacts>;
  loadChannels: () => Promise<ChannelTable>;
  parsePhone: PhoneParser;
  checkReceiptRequest: CheckReceiptRequest;
  limiter: Limiter;
  intake: Intake;
  clock: Clock;
}

export type AcceptedData = Accepted & Counts;

export type AcceptData = (command: DisburseData) => Promise<Taken<AcceptedData>>;

/** Rejects with what the contract publishes for `disburseMobileData`; nothing is debited, stored or queued then. */
export function createAcceptData(dependencies: DataDependencies): AcceptData {
  return async (command) => {
    const { caller, idempotency } = command;
    const sendsSms = command.recipients.some(({ content }) => content.message !== undefined);
    if (sendsSms && !caller.scopes.includes(smsScope)) throw errors.missingScope(smsScope);
    return dependencies.intake.take({ clientId: caller.clientId, operation, idempotency }, async (commit) => {
      const { campaignId } = command;
      const channels = await dependencies.loadChannels();
      const recipients = routeRecipients(command, dependencies.parsePhone, channels);
      const receiptRequest = dependencies.checkReceiptRequest(command.receiptRequest);
      const facts = await dependencies.loadFacts(caller.teamId, campaignId, command.smsServiceId);
      const smsService = requireResources(command, facts, sendsSms, dependencies.clock.now());
      const request = { sender: caller, operation, recipients: command.recipients };
      return counted(dependencies.limiter, request, async () => {
        const messages = planMessages(recipients, facts);
        return commit({
          teamId: caller.teamId,
          clientId: caller.clientId,
          operation,
          resourceId: campaignId,
          smsServiceId: smsService?.id,
          sender: smsService?.sender ?? null,
          receiptRequest,
          messages,
          accepted: { requestId: randomUUID(), ...countBundles(channels.names, messages) },
          idempotency,
        });
      });
    });
  };
}

/** Rule 8: the campaign, what it allows and, where an SMS is sent, its service. Answers that service. */
function requireResources(
  { campaignId, recipients }: DisburseData,
  facts: DataFacts,
  sendsSms: boolean,
  nowMs: number,
): SmsService | undefined {
  const campaign = requireCampaign(campaignId, facts.campaign, nowMs);
  requireAllowed(
    campaign,
    recipients.map(({ content }) => content.denomination),
  );
  return sendsSms ? requireService(facts.smsServiceId, facts.smsService) : undefined;
}
