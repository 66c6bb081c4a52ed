/** The rules of SMS in reserve: those of an SMS to the same people, of the category of the chat-app template. */
import { isUserId } from '../../model/address.ts';
import type { Category, Plan, PlannedMessage } from '../../model/plan.ts';
import { errors, Rejection } from '../../platform/errors.ts';
import { type ParsedRecipient, type RoutedRecipient, withChannels } from '../phone/route.ts';
import type { RuleInput } from '../rules.ts';
import type { SmsContent } from '../sms/command.ts';
import type { SmsFacts } from '../sms/facts.ts';
import { type AdmittedSms, plan as planSms } from '../sms/plan.ts';
import { requireService } from '../sms/service.ts';
import type {
  AskedFallback,
  SendChatApp,
  SendChatAppTemplate,
  TemplateContent,
  WrittenSms,
} from './command.ts';
import type { ChatAppFacts } from './facts.ts';

export interface AdmittedFallback {
  asked: AskedFallback;
  facts: SmsFacts;
  /** As those of an SMS request. */
  sms: AdmittedSms;
}

/** Undefined: the command asks for none. */
export function admitFallback(
  { fallback }: SendChatAppTemplate,
  admitted: Omit<AdmittedSms, 'recipients' | 'service'> & {
    recipients: readonly ParsedRecipient<TemplateContent>[];
  },
  facts: SmsFacts | undefined,
): AdmittedFallback | undefined {
  if (fallback === undefined) return undefined;
  if (facts === undefined) throw new Error('a fallback without its facts');
  requireNumbers('SMS', admitted.recipients);
  const recipients = withChannels(admitted.recipients, facts.channels).map(
    ({ content, ...recipient }): RoutedRecipient<SmsContent> => ({
      ...recipient,
      content: contentOf(fallback, content.sms ?? {}),
    }),
  );
  requireTime(fallback, admitted.schedule);
  const service = requireService(fallback.serviceId, facts.service);
  return { asked: fallback, facts, sms: { ...admitted, recipients, service } };
}

function contentOf({ templateId }: AskedFallback, { text, params }: WrittenSms): SmsContent {
  if (templateId === undefined && text !== undefined && params === undefined) return { text };
  if (templateId !== undefined && text === undefined) return { params: params ?? [] };
  throw errors.fallbackInvalid(
    '/fallback must have either a message for each recipient, or a templateId with its params.',
  );
}

function requireTime({ after }: AskedFallback, schedule: AdmittedSms['schedule']): void {
  if (schedule?.validUntil === undefined) return;
  if (Date.parse(schedule.sendAt) + after * 1_000 >= Date.parse(schedule.validUntil))
    throw errors.fallbackInvalid('/fallback/after must end before /schedule/validUntil.');
}

/** Numbers that networks send SMS and codes to. */
export function requireNumbers(
  what: 'One-time codes' | 'SMS',
  recipients: readonly ParsedRecipient<unknown>[],
): void {
  const others = recipients.filter(({ phone }) => isUserId(phone)).map(({ written }) => written);
  if (others.length > 0) throw errors.numberRequired(what, others);
}

type Planned = Pick<Plan, 'smsServiceId' | 'fallback' | 'registrations' | 'validitySeconds' | 'messages'>;

/** What the SMS add to the plan of their chat-app messages, `own`. Undefined: there are none. */
export function planFallback(
  { command, facts, nowMs, requestId }: RuleInput<SendChatApp, ChatAppFacts>,
  admitted: AdmittedFallback | undefined,
  own: readonly PlannedMessage[],
  category: Category,
): Planned | undefined {
  if (admitted === undefined) return undefined;
  const { asked, sms } = admitted;
  const { templateId, serviceId, after } = asked;
  const { template } = admitted.facts;
  if (templateId !== undefined && template !== undefined && template.category !== category)
    throw errors.fallbackInvalid(
      `/fallback/templateId is for ${template.category} messages, and /templateId for ${category}.`,
    );
  const smsCommand = {
    ...{
      caller: command.caller,
      audience: command.audience,
      recipients: sms.recipients,
      idempotency: undefined,
    },
    ...{ serviceId, templateId, receiptRequest: undefined },
  };
  const plan = ofParameters(() =>
    planSms(
      { command: smsCommand, facts: admitted.facts, nowMs, requestId },
      { ...sms, service: { ...sms.service, purpose: category } },
    ),
  );
  const sender = plan.sender ?? '';
  const timeOf = new Map(own.map(({ position, sendAt }) => [position, sendAt]));
  const messages = plan.messages.map(
    ({ way: _way, expiresQuietly: _quietly, ...message }): PlannedMessage => {
      const dueMs = Date.parse(timeOf.get(message.position) ?? new Date(nowMs).toISOString());
      const sendAt = new Date(dueMs + after * 1_000).toISOString();
      return { ...message, sender: message.sender ?? sender, sendAt, inReserve: true };
    },
  );
  return {
    smsServiceId: serviceId,
    fallback: { after, sender },
    registrations: plan.registrations,
    validitySeconds: Math.min(after, facts.quiet.validitySeconds),
    messages,
  };
}

/** Faults of the SMS' parameters in the shape that faults of chat-app parameters have. */
function ofParameters<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Rejection) || error.slug !== 'invalid-parameters') throw error;
    const faults = Object.entries((error.result ?? {}) as Record<string, readonly unknown[]>);
    throw errors.invalidParameters(
      Object.fromEntries(
        faults.map(([of, sentences]) => [
          of,
          sentences.map((sentence) => ({
            type: 'ParameterError',
            parameterType: 'FallbackParameter',
            error: String(sentence),
          })),
        ]),
      ),
    );
  }
}
