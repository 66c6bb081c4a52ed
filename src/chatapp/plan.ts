/** The rules of a chat-app request, in the order of the contract: facts and command in, plan or rejection out. */
import { errors } from '../errors.ts';
import { noAccount, type PlannedMessage } from '../intake/plan.ts';
import { fillAll } from '../templates/fill.ts';
import { requireApproved } from '../templates/sendable.ts';
import type { ChatAppRecipient, SendChatAppTemplate } from './command.ts';
import { templateMessage } from './components.ts';
import type { ChatAppFacts, SenderNumber } from './facts.ts';
import { checkParameters, type Filling } from './parameters.ts';
import type { ChatAppTemplate } from './template.ts';

/** A recipient whose number is understood. */
export interface ReachableRecipient extends ChatAppRecipient {
  /** E.164. */
  e164: string;
}

/** Rule 7: every number is understood, or all that are not are named. Any country's: no mobile network is asked. */
export function parseRecipients(
  recipients: readonly ChatAppRecipient[],
  parsePhone: (written: string) => string | undefined,
): ReachableRecipient[] {
  const reachable: ReachableRecipient[] = [];
  const invalid: string[] = [];
  for (const recipient of recipients) {
    const e164 = parsePhone(recipient.phone);
    if (e164 === undefined) invalid.push(recipient.phone);
    else reachable.push({ ...recipient, e164 });
  }
  if (invalid.length > 0) throw errors.invalidPhones(invalid);
  return reachable;
}

/** The first half of rule 10: the service sends from this number. */
export function requireNumber(phoneNumberId: string, { number }: ChatAppFacts): SenderNumber {
  if (number === undefined) throw errors.phoneNumberUnknown(phoneNumberId);
  return number;
}

/** What the client is told of the messages. */
export interface PlannedTemplate {
  messages: PlannedMessage[];
  /** By template category; empty when the team is not billed. */
  units: Record<string, number>;
}

/**
 * The rest of rule 10, then rule 11 for every entry of the request, then the messages. each: every entry is a
 * message. many: a number that comes twice is one recipient.
 */
export function planMessages(
  command: Pick<SendChatAppTemplate, 'templateId' | 'audience' | 'phoneNumberId'>,
  recipients: readonly ReachableRecipient[],
  facts: ChatAppFacts,
  nowMs: number,
): PlannedTemplate {
  const template = requireTemplate(command.templateId, facts);
  const fillings = fillAll(
    command.audience,
    recipients,
    ({ phone }) => phone,
    ({ params }) => {
      const checked = checkParameters(template, params, nowMs);
      return 'filling' in checked ? { value: checked.filling } : checked;
    },
  );
  const filled = recipients.map(({ e164 }, entry) => [e164, fillings[entry] as Filling] as const);
  const billed = Object.keys(facts.accounts).length > 0;
  const accountId = billed ? (facts.accounts[template.category] ?? noAccount) : null;
  // In `many` all fillings are the same one.
  const distinct = command.audience === 'many' ? [...new Map(filled)] : filled;
  const messages = distinct.map(([phone, filling], position) => ({
    product: 'chatapp' as const,
    position,
    channel: command.phoneNumberId,
    phone,
    content: JSON.stringify(templateMessage(template, filling)),
    units: billed ? 1 : 0,
    accountId,
    held: false,
  }));
  return { messages, units: billed ? { [template.category]: messages.length } : {} };
}

function requireTemplate(templateId: string, { template }: ChatAppFacts): ChatAppTemplate {
  if (template === undefined) throw errors.chatAppTemplateUnknown(templateId);
  requireApproved(template);
  return template;
}
