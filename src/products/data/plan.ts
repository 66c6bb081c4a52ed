/** The rules of a disbursement, in the order of checks (spec/decisions.md): facts and command in, plan or rejection out. */

import {
  type Accepted,
  noAccount,
  type Plan,
  type PlannedMessage,
  type ReceiptRequest,
  type Schedule,
} from '../../model/plan.ts';
import { products } from '../../model/products.ts';
import { own } from '../../platform/text/own.ts';
import { unitsOf } from '../../platform/text/units.ts';
import { type RoutedRecipient, routeRecipients } from '../phone/route.ts';
import { promiseOf } from '../quiet-hours/departure.ts';
import type { Checks, RuleInput } from '../rules.ts';
import { checkSchedule } from '../schedule.ts';
import { smsScope } from '../sms/plan.ts';
import { registrationsOf, requireRegistrations } from '../sms/registrations.ts';
import { requireGranted } from '../sms/sender.ts';
import { requireService, type SmsService } from '../sms/service.ts';
import { requireAllowed, requireCampaign } from './campaign.ts';
import type { Bundle, DisburseData } from './command.ts';
import type { DataFacts } from './facts.ts';

export const { operation } = products.data;
const unitsPerBundle = 1;

/** Bundles, not the SMS that go with them. */
export interface AcceptedData extends Accepted {
  /** By channel and denomination; every active channel is listed. */
  units: Record<string, Record<string, number>>;
  /** By channel; every active channel is listed. */
  addresses: Record<string, number>;
}

type DataInput = RuleInput<DisburseData, DataFacts>;

interface AdmittedData {
  recipients: readonly RoutedRecipient<Bundle>[];
  receiptRequest: ReceiptRequest;
  schedule: Schedule | undefined;
  /** What the SMS go through; undefined: there are none. */
  smsService: SmsService | undefined;
}

/** What a client needs beside the operation's own scope to have an SMS sent with a bundle. */
export function scopesOf(command: DisburseData): readonly string[] {
  return sendsSms(command) ? [smsScope] : [];
}

export function admit({ command, facts, nowMs }: DataInput, checks: Checks): AdmittedData {
  const recipients = routeRecipients(command, checks.parsePhone, facts.channels);
  const receiptRequest = checks.checkReceiptRequest(command.receiptRequest);
  const schedule = checkSchedule(command.schedule, nowMs);
  const campaign = requireCampaign(command.campaignId, facts.campaign, nowMs);
  requireAllowed(
    campaign,
    recipients.map(({ content }) => content.denomination),
  );
  const smsService = sendsSms(command) ? requireService(facts.smsServiceId, facts.smsService) : undefined;
  return { recipients, receiptRequest, schedule, smsService };
}

export function plan(
  { command, facts, nowMs, requestId }: DataInput,
  admitted: AdmittedData,
): Plan<AcceptedData> {
  const { caller, campaignId, idempotency } = command;
  const { smsService, receiptRequest, schedule } = admitted;
  const category = 'UTILITY';
  const seen =
    smsService &&
    requireGranted(smsService.sender, smsService.grant ?? undefined, {
      category,
      nowMs,
      findRules: facts.findSenderRules,
    });
  const messages = planMessages(admitted, facts).map((message) =>
    message.product === 'sms' ? { ...message, ...seen?.(message) } : message,
  );
  const registrations = registrationsOf(undefined, smsService?.grant ?? undefined);
  if (smsService !== undefined) {
    const texts = messages.filter(({ product }) => product === 'sms');
    requireRegistrations(texts, registrations, facts.channels, smsService);
  }
  return {
    teamId: caller.teamId,
    clientId: caller.clientId,
    operation,
    resourceId: campaignId,
    smsServiceId: smsService?.id,
    sender: smsService?.sender ?? null,
    receiptRequest,
    category,
    validitySeconds: facts.validitySeconds,
    schedule,
    registrations,
    messages,
    accepted: {
      requestId,
      ...countBundles(facts.channels.names, messages),
      ...promiseOf(schedule, messages),
    },
    idempotency,
  };
}

function sendsSms({ recipients }: DisburseData): boolean {
  return recipients.some(({ content }) => content.message !== undefined);
}

/** A bundle for each recipient and, held until that is delivered, the SMS that goes with it. */
function planMessages(
  { recipients, schedule }: AdmittedData,
  { accountIds, smsAccountId }: DataFacts,
): PlannedMessage[] {
  return recipients.flatMap(({ phone, channel, position, content: { denomination, message } }) => {
    const common = { position, channel, phone };
    const bundle: PlannedMessage = {
      ...common,
      product: 'data',
      content: denomination,
      units: unitsPerBundle,
      accountId: accountIds.get(`${channel}/${denomination}`) ?? noAccount,
      held: false,
      ...(schedule === undefined ? {} : { sendAt: schedule.sendAt }),
    };
    if (message === undefined) return [bundle];
    const companion: PlannedMessage = {
      ...common,
      product: 'sms',
      content: message,
      units: unitsOf(message),
      accountId: smsAccountId ?? noAccount,
      held: true,
    };
    return [bundle, companion];
  });
}

function countBundles(channelNames: readonly string[], messages: readonly PlannedMessage[]) {
  const units: AcceptedData['units'] = Object.fromEntries(channelNames.map((name) => [name, {}]));
  const addresses: AcceptedData['addresses'] = Object.fromEntries(channelNames.map((name) => [name, 0]));
  for (const { product, channel, content: denomination, units: cost } of messages) {
    if (product !== 'data') continue;
    const ofChannel = own(units, channel) ?? {};
    ofChannel[denomination] = (own(ofChannel, denomination) ?? 0) + cost;
    units[channel] = ofChannel;
    addresses[channel] = (own(addresses, channel) ?? 0) + 1;
  }
  return { units, addresses };
}
