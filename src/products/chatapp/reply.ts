/** The rules of a reply: to whom it goes, until when, and what it may say. */
import { errors } from '../../platform/errors.ts';
import type { ReplyInChatApp, WrittenReply } from './command.ts';
import type { ChatAppFacts, SenderNumber } from './facts.ts';
import { replyableUntil } from './session.ts';
import type { SessionContent, SessionMedia } from './templates/filled-template.ts';
import { isPublicUrl } from './templates/values.ts';

export interface PlannedReply {
  recipients: readonly { phone: string; position: number }[];
  contents: readonly string[];
  /** Then the network would refuse it. */
  validUntil: Date;
}

/** As many recipients as the command has: a preview plans for none, too. */
export function planReply(
  { inReplyTo, serviceId, recipients }: ReplyInChatApp,
  { phone: number }: SenderNumber,
  { answered }: Pick<ChatAppFacts, 'answered'>,
  nowMs: number,
): PlannedReply {
  if (answered?.from === undefined || answered.serviceId !== serviceId || answered.to !== number)
    throw errors.inboundMessageUnknown(inReplyTo);
  const { from, receivedAt } = answered;
  const validUntil = replyableUntil(receivedAt);
  if (validUntil.getTime() <= nowMs) throw errors.sessionClosed(inReplyTo, validUntil.toISOString());
  return {
    recipients: recipients.map((_recipient, position) => ({ phone: from, position })),
    contents: recipients.map(({ content }) => JSON.stringify(contentOf(content))),
    validUntil,
  };
}

function contentOf({ text, media }: WrittenReply): SessionContent {
  if (text !== undefined && media === undefined) return { text };
  if (media === undefined || text !== undefined)
    throw errors.replyInvalid('/text or /media is required, not both.');
  const fault = faultOf(media);
  if (fault !== undefined) throw errors.replyInvalid(fault);
  return { media };
}

function faultOf({ kind, url, caption, filename }: SessionMedia): string | undefined {
  if (!isPublicUrl(url)) return '/media/url must be a public http or https URL.';
  if (caption !== undefined && kind === 'AUDIO') return '/media/caption is not allowed for AUDIO.';
  if (filename !== undefined && kind !== 'DOCUMENT') return '/media/filename is only allowed for a DOCUMENT.';
  return undefined;
}
