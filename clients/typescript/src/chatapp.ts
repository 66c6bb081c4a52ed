/** Chat-app templates: turns what a caller writes into one of the two modes of the API. */
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

interface OneTemplate {
  to: To;
  params?: readonly ChatAppParameter[] | undefined;
  messages?: undefined;
}

interface OwnParams {
  /** Parameters for each recipient. */
  messages: readonly { to: string; params?: readonly ChatAppParameter[] | undefined }[];
  to?: undefined;
  params?: undefined;
}

/** A template with the same parameters for all recipients, or for each its own. */
export type ChatAppRequest = {
  service: string;
  /** The business number that sends. */
  phoneNumberId: string;
  template: string;
} & ReceiptTarget &
  SendTime &
  Place &
  (OneTemplate | OwnParams);

export type ChatAppResponse = Result<'sendChatAppTemplate'>['result'];

export function chatappBody(request: ChatAppRequest): Body<'sendChatAppTemplate'> {
  const { phoneNumberId, template: templateId } = request;
  const common = { ...receiptRequestOf<ReceiptTarget>(request), ...scheduleOf(request), ...placeOf(request) };
  if (request.messages === undefined)
    return {
      type: 'TemplateSendToMany',
      phoneNumberId,
      templateId,
      addresses: listOf(request.to),
      params: [...(request.params ?? [])],
      ...common,
    };
  const messages = request.messages.map(({ to, params = [] }) => ({ phone: to, params: [...params] }));
  return { type: 'TemplateSendToEach', phoneNumberId, templateId, messages, ...common };
}
