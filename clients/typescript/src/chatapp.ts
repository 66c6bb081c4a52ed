/** Chat-app templates and replies: turns what a caller writes into one of the three modes of the API. */
import type { components } from './openapi.d.ts';
import type { Body, Result } from './operations.ts';
import {
  listOf,
  type Place,
  placeOf,
  type ReceiptTarget,
  receiptRequestOf,
  type SendTime,
  scheduleOf,
  type To,
} from './receipt-request.ts';

/** One of the fourteen kinds of parameter, with its `type`. */
export type ChatAppParameter = components['schemas']['ChatAppParameter'];

/** A file that the chat app fetches. */
export type ChatAppMedia = components['schemas']['ChatAppMedia'];

/** An SMS to each recipient whose chat-app message is not delivered. */
export type ChatAppFallback = components['schemas']['ChatAppFallback'];

interface OneTemplate {
  to: To;
  params?: readonly ChatAppParameter[] | undefined;
  messages?: undefined;
}

interface OwnParams {
  /** Parameters for each recipient. */
  messages: readonly {
    to: string;
    params?: readonly ChatAppParameter[] | undefined;
    /** The SMS for this recipient, instead of that for all. */
    fallback?: Pick<ChatAppFallback, 'message' | 'params'> | undefined;
  }[];
  to?: undefined;
  params?: undefined;
}

type Templates = {
  template: string;
  inReplyTo?: undefined;
  fallback?: ChatAppFallback | undefined;
} & SendTime &
  Place &
  (OneTemplate | OwnParams);

/** What a reply has not. */
type NoTemplates = {
  [P in 'template' | 'to' | 'params' | 'messages' | 'fallback' | keyof SendTime | keyof Place]?: undefined;
};

type Reply = NoTemplates & {
  /** The id of an inbound message of the last 24 hours, to whose sender it goes. */
  inReplyTo: string;
} & ({ text: string; media?: undefined } | { media: ChatAppMedia; text?: undefined });

/** A template with the same parameters for all recipients, or for each its own; or a reply to one person. */
export type ChatAppRequest = {
  service: string;
  /** The business number that sends. */
  phoneNumberId: string;
} & ReceiptTarget &
  (Templates | Reply);

export type ChatAppResponse = Result<'sendChatAppTemplate'>['result'];

export function chatappBody(request: ChatAppRequest): Body<'sendChatAppTemplate'> {
  const { phoneNumberId } = request;
  if (request.inReplyTo !== undefined) {
    const { inReplyTo, text, media } = request;
    const content = text === undefined ? { media } : { text };
    return {
      type: 'Reply',
      phoneNumberId,
      inReplyTo,
      ...content,
      ...receiptRequestOf<ReceiptTarget>(request),
    };
  }
  const { template: templateId, fallback } = request;
  const common = {
    ...(fallback === undefined ? {} : { fallback }),
    ...receiptRequestOf<ReceiptTarget>(request),
    ...scheduleOf(request),
    ...placeOf(request),
  };
  if (request.messages === undefined)
    return {
      type: 'TemplateSendToMany',
      phoneNumberId,
      templateId,
      addresses: listOf(request.to),
      params: [...(request.params ?? [])],
      ...common,
    };
  const messages = request.messages.map(({ to, params = [], fallback: own }) => ({
    phone: to,
    params: [...params],
    ...(own === undefined ? {} : { fallback: own }),
  }));
  return { type: 'TemplateSendToEach', phoneNumberId, templateId, messages, ...common };
}
