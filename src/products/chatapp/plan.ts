/** The rules of a chat-app request, in the order of checks (spec/decisions.md): facts and command in, plan or rejection out. */

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
import { orUserId } from '../phone/parse.ts';
import { type ParsedRecipient, parseRecipients } from '../phone/route.ts';
import { departureOf, promiseOf } from '../quiet-hours/departure.ts';
import type { Checks, RuleInput } from '../rules.ts';
import { checkSchedule, checkTimeZone } from '../schedule.ts';
import { smsScope } from '../sms/plan.ts';
import { requireService } from '../sms/service.ts';
import { fillAll } from '../templates/fill.ts';
import { requireApproved } from '../templates/sendable.ts';
import type { SendChatApp, SendChatAppTemplate, TemplateContent } from './command.ts';
import type { ChatAppFacts, ChatAppService, SenderNumber } from './facts.ts';
import { type AdmittedFallback, admitFallback, planFallback, requireNumbers } from './fallback.ts';
import { planReply } from './reply.ts';
import { fillTemplate } from './templates/fill-template.ts';
import { checkParameters } from './templates/parameters.ts';
import type { ChatAppTemplate } from './templates/template.ts';

export const { operation } = products.chatapp;

export interface AcceptedChatApp extends Accepted {
  /** Units by category; empty when the team is not billed. */
  units: Record<string, number>;
  /** Messages. */
  addresses: number;
}

type ChatAppInput = RuleInput<SendChatApp, ChatAppFacts>;

interface AdmittedChatApp {
  /** None of a reply. */
  recipients: readonly ParsedRecipient<TemplateContent>[];
  receiptRequest: ReceiptRequest;
  schedule: Schedule | undefined;
  timeZone: string | undefined;
  service: ChatAppService;
  /** Absent: there are no SMS in reserve. */
  fallback?: AdmittedFallback | undefined;
}

/** An SMS in reserve is sent with the permission to send SMS. */
export function scopesOf(command: SendChatApp): readonly string[] {
  return 'fallback' in command && command.fallback !== undefined ? [smsScope] : [];
}

/** Numbers of any country are admitted, and user ids: no mobile network is asked, but for SMS in reserve. */
export function admit({ command, facts, nowMs }: ChatAppInput, checks: Checks): AdmittedChatApp {
  const recipients = 'inReplyTo' in command ? [] : parseRecipients(command, orUserId(checks.parsePhone));
  const receiptRequest = checks.checkReceiptRequest(command.receiptRequest);
  const schedule = checkSchedule(command.schedule, nowMs);
  const timeZone = checkTimeZone(command.timeZone);
  const service = requireService(command.serviceId, facts.service);
  const admitted = { recipients, receiptRequest, schedule, timeZone, service };
  return 'inReplyTo' in command
    ? admitted
    : { ...admitted, fallback: admitFallback(command, admitted, facts.sms) };
}

export function plan(input: ChatAppInput, admitted: AdmittedChatApp): Plan<AcceptedChatApp> {
  const { command, facts, nowMs, requestId } = input;
  const { caller, serviceId, idempotency } = command;
  const number = requireNumber(command.phoneNumberId, facts);
  const composed = compose(input, admitted, number);
  const { category, recipients, contents } = composed;
  const billed = Object.keys(facts.accounts).length > 0;
  const accountId = billed ? (facts.accounts[category] ?? noAccount) : null;
  const departure = departureOf({ ...admitted, category, nowMs }, facts.quiet);
  const own = recipients.map(
    ({ phone, position }, index): PlannedMessage => ({
      product: 'chatapp',
      position,
      channel: command.phoneNumberId,
      phone,
      content: contents[index] ?? '',
      units: billed ? 1 : 0,
      accountId,
      held: false,
      ...departure(phone),
    }),
  );
  const { messages: inReserve = [], ...reserve } =
    planFallback(input, admitted.fallback, own, category) ?? {};
  const validity = validityOf(composed.validUntil, facts.quiet.validitySeconds, nowMs);
  return {
    teamId: caller.teamId,
    clientId: caller.clientId,
    operation,
    resourceId: serviceId,
    templateId: composed.templateId,
    sender: number.phone,
    receiptRequest: admitted.receiptRequest,
    category,
    ...validity,
    schedule: admitted.schedule,
    timeZone: admitted.timeZone,
    ...reserve,
    messages: [...own, ...inReserve],
    accepted: {
      requestId,
      units: billed ? { [category]: own.length } : {},
      addresses: own.length,
      ...promiseOf(admitted.schedule, own),
    },
    idempotency,
  };
}

interface Composed {
  category: Category;
  templateId?: string;
  recipients: readonly { phone: string; position: number }[];
  /** In the order of the recipients. */
  contents: readonly string[];
  validUntil?: Date;
}

function compose(
  { command, facts, nowMs }: ChatAppInput,
  { recipients }: AdmittedChatApp,
  number: SenderNumber,
): Composed {
  if ('inReplyTo' in command) return { category: 'SERVICE', ...planReply(command, number, facts, nowMs) };
  return { recipients, ...fillOf(command, facts, recipients, nowMs) };
}

function fillOf(
  { templateId, audience }: SendChatAppTemplate,
  facts: ChatAppFacts,
  recipients: AdmittedChatApp['recipients'],
  nowMs: number,
): Omit<Composed, 'recipients'> {
  const template = requireTemplate(templateId, facts);
  const { category } = template;
  if (category === 'AUTHENTICATION') requireNumbers('One-time codes', recipients);
  const contents = fillAll(audience, recipients, ({ params }) => {
    const checked = checkParameters(template, params, nowMs);
    return 'filling' in checked
      ? { value: JSON.stringify(fillTemplate(template, checked.filling)) }
      : checked;
  });
  return { category, templateId, contents };
}

function validityOf(
  validUntil: Date | undefined,
  usualSeconds: number,
  nowMs: number,
): Pick<Plan, 'validitySeconds' | 'validUntil'> {
  if (validUntil === undefined) return { validitySeconds: null };
  const validitySeconds = Math.min(usualSeconds, (validUntil.getTime() - nowMs) / 1000);
  return { validitySeconds, validUntil: new Date(nowMs + validitySeconds * 1000).toISOString() };
}

function requireNumber(phoneNumberId: string, { number }: ChatAppFacts): SenderNumber {
  if (number === undefined) throw errors.phoneNumberUnknown(phoneNumberId);
  return number;
}

function requireTemplate(templateId: string, { template }: ChatAppFacts): ChatAppTemplate {
  if (template === undefined) throw errors.chatAppTemplateUnknown(templateId);
  requireApproved(template);
  return template;
}
