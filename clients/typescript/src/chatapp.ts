/** Sends and previews chat-app templates: turns what a caller writes into one of the two modes of the API. */
import type { Caller, CallOptions } from './caller.ts';
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

export class ChatApp {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /** Resolves once the request is accepted for every recipient; receipts report the outcomes. */
  async send(request: ChatAppRequest, options?: CallOptions): Promise<ChatAppResponse> {
    const path = { serviceId: request.service };
    return (await this.#call('sendChatAppTemplate', { path, body: bodyOf(request) }, options)).result;
  }

  /** What `send` would do: what each recipient would see, the cost and problems. Sends and costs nothing. */
  preview(request: ChatAppRequest, options?: CallOptions): Promise<components['schemas']['ChatAppPreview']> {
    const path = { serviceId: request.service };
    return this.#call('previewChatAppTemplate', { path, body: bodyOf(request) }, options);
  }
}

function bodyOf(request: ChatAppRequest): Body<'sendChatAppTemplate'> {
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
