/** The rules of an SMS request, in the order of checks (spec/decisions.md): facts and command in, plan or rejection out. */

import {
  type Accepted,
  type Category,
  noAccount,
  type Plan,
  type PlannedMessage,
  type ReceiptRequest,
  type Schedule,
} from '../../model/plan.ts';
import { products } from '../../model/products.ts';
import { errors } from '../../platform/errors.ts';
import { own } from '../../platform/text/own.ts';
import { unitsOf } from '../../platform/text/units.ts';
import { wayOfChannels } from '../phone/channels.ts';
import { type RoutedRecipient, routeRecipients } from '../phone/route.ts';
import { departureOf, promiseOf } from '../quiet-hours/departure.ts';
import type { Checks, RuleInput } from '../rules.ts';
import { checkSchedule, checkTimeZone } from '../schedule.ts';
import { type Filled, fillAll } from '../templates/fill.ts';
import { resolveTemplate } from '../templates/parameters.ts';
import { requireSendable } from '../templates/sendable.ts';
import type { SmsTemplate } from '../templates/template.ts';
import type { SendSms, SmsContent } from './command.ts';
import type { SmsFacts } from './facts.ts';
import { registrationsOf, requireRegistrations } from './registrations.ts';
import { requireGranted } from './sender.ts';
import { requireService, type SmsService } from './service.ts';

export const { operation } = products.sms;
/** What its clients need, and those of requests with SMS of other products. */
export const smsScope = 'message.sms.send.oneway';

export interface AcceptedSms extends Accepted {
  /** Units by channel; every active channel is listed. */
  units: Record<string, number>;
  /** Messages by channel; every active channel is listed. */
  addresses: Record<string, number>;
}

type SmsInput = RuleInput<SendSms, SmsFacts>;

export interface AdmittedSms {
  recipients: readonly RoutedRecipient<SmsContent>[];
  receiptRequest: ReceiptRequest;
  schedule: Schedule | undefined;
  timeZone: string | undefined;
  service: SmsService;
}

export function admit({ command, facts, nowMs }: SmsInput, checks: Checks): AdmittedSms {
  return {
    recipients: routeRecipients(command, checks.parsePhone, facts.channels),
    receiptRequest: checks.checkReceiptRequest(command.receiptRequest),
    schedule: checkSchedule(command.schedule, nowMs),
    timeZone: checkTimeZone(command.timeZone),
    service: requireService(command.serviceId, facts.service),
  };
}

export function plan(input: SmsInput, admitted: AdmittedSms): Plan<AcceptedSms> {
  const { command, facts, nowMs, requestId } = input;
  const { caller, serviceId, idempotency } = command;
  const category = facts.template?.category ?? admitted.service.purpose;
  const departure = departureOf({ ...admitted, category, nowMs }, facts.quiet);
  const planned = planMessages(command, admitted, facts, category);
  // A managed template brings its own.
  const { sender } = facts.managedService ?? admitted.service;
  const granted = facts.managedService ?? admitted.service.grant ?? undefined;
  const seen = requireGranted(sender, granted, { category, nowMs, findRules: facts.findSenderRules });
  const wayOfChannel = wayOfChannels(facts.channels, 'sms', {
    teamId: caller.teamId,
    serviceId,
    sender,
    category,
  });
  const messages = planned.map((message) => ({
    ...message,
    ...seen(message),
    ...wayOfChannel(message.channel),
    ...departure(message.phone),
  }));
  const registrations = registrationsOf(facts.template, granted);
  requireRegistrations(planned, registrations, facts.channels, { sender, templateId: command.templateId });
  return {
    teamId: caller.teamId,
    clientId: caller.clientId,
    operation,
    resourceId: serviceId,
    templateId: command.templateId,
    sender,
    receiptRequest: admitted.receiptRequest,
    category,
    validitySeconds: admitted.service.validitySeconds,
    schedule: admitted.schedule,
    timeZone: admitted.timeZone,
    registrations,
    messageClass: command.messageClass,
    messages,
    accepted: {
      requestId,
      ...countMessages(facts.channels.names, messages),
      ...promiseOf(admitted.schedule, messages),
    },
    idempotency,
  };
}

function planMessages(
  command: SendSms,
  { recipients }: AdmittedSms,
  facts: SmsFacts,
  category: Category,
): PlannedMessage[] {
  const template = command.templateId === undefined ? undefined : requireTemplate(command.templateId, facts);
  const texts = fillAll(command.audience, recipients, (content) => resolve(content, template));
  const accountId = facts.accountId ?? noAccount;
  return recipients.map(({ phone, channel, position }, index) => {
    const suffix = category === 'MARKETING' ? facts.channels.named(channel)?.promotionalSuffix : undefined;
    const content = ending(texts[index] ?? '', suffix);
    return {
      product: 'sms',
      position,
      channel,
      phone,
      content,
      units: unitsOf(content),
      accountId,
      held: false,
    };
  });
}

/** The text with the suffix at its end, once. */
function ending(text: string, suffix: string | undefined): string {
  return suffix === undefined || text.trimEnd().endsWith(suffix) ? text : `${text} ${suffix}`;
}

function requireTemplate(templateId: string, facts: SmsFacts): SmsTemplate {
  if (facts.template === undefined) throw errors.templateUnknown(templateId);
  requireSendable(facts.template, facts.managedService);
  return facts.template;
}

function resolve(content: SmsContent, template: SmsTemplate | undefined): Filled<string> {
  if ('text' in content) return { value: content.text };
  if (template === undefined) throw new Error('parameters without a template');
  const resolved = resolveTemplate(template, content.params);
  return 'text' in resolved ? { value: resolved.text } : resolved;
}

function countMessages(channelNames: readonly string[], messages: readonly PlannedMessage[]) {
  const units: AcceptedSms['units'] = Object.fromEntries(channelNames.map((name) => [name, 0]));
  const addresses: AcceptedSms['addresses'] = { ...units };
  for (const message of messages) {
    units[message.channel] = (own(units, message.channel) ?? 0) + message.units;
    addresses[message.channel] = (own(addresses, message.channel) ?? 0) + 1;
  }
  return { units, addresses };
}
