/** The rules of an SMS request, in the order of the contract: facts and command in, plan or rejection out. */
import { errors } from '../errors.ts';
import { noAccount, type PlannedMessage } from '../intake/plan.ts';
import type { RoutedRecipient } from '../phone/route.ts';
import { type Filled, fillAll } from '../templates/fill.ts';
import { resolveTemplate } from '../templates/parameters.ts';
import { requireSendable } from '../templates/sendable.ts';
import type { SmsTemplate } from '../templates/template.ts';
import type { SendSms, SmsContent } from './command.ts';
import type { SmsFacts } from './facts.ts';
import type { SmsService } from './service.ts';
import { unitsOf } from './units.ts';

/** Rules 10 and 11, then the messages with their texts and units. */
export function planMessages(
  command: Pick<SendSms, 'templateId' | 'audience'>,
  recipients: readonly RoutedRecipient<SmsContent>[],
  facts: SmsFacts,
): PlannedMessage[] {
  const template = command.templateId === undefined ? undefined : requireTemplate(command.templateId, facts);
  const texts = fillAll(
    command.audience,
    recipients,
    ({ written }) => written,
    ({ content }) => resolve(content, template),
  );
  const accountId = facts.accountId ?? noAccount;
  return recipients.map(({ phone, channel }, position) => {
    const content = texts[position] ?? '';
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

/** The sender the messages come from: a managed template brings its own. */
export function senderOf(service: SmsService, facts: SmsFacts): string {
  return facts.managedService?.sender ?? service.sender;
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
