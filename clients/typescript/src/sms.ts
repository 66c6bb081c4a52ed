/** SMS: turns what a caller writes into one of the four modes of the API. */
import type { Body, Result } from './operations.ts';
import {
  listOf,
  type OptionalReceiptTarget,
  type Place,
  placeOf,
  receiptRequestOf,
  type SendTime,
  scheduleOf,
  type To,
} from './receipt-request.ts';

/** The values of a template's parameters, by name. */
export type TemplateValues = Readonly<Record<string, string>>;

/** How a text of its own is shown. */
interface Shown {
  /** The phone shows it at once and does not keep it. */
  flash?: boolean | undefined;
}

interface OneText extends Shown {
  to: To;
  text: string;
  messages?: undefined;
  template?: undefined;
  params?: undefined;
}

interface OwnTexts extends Shown {
  /** A text for each recipient. */
  messages: readonly { to: string; text: string }[];
  to?: undefined;
  text?: undefined;
  template?: undefined;
  params?: undefined;
}

interface OneTemplate {
  template: string;
  to: To;
  flash?: undefined;
  params?: TemplateValues | undefined;
  text?: undefined;
  messages?: undefined;
}

interface OwnParams {
  template: string;
  /** Parameters for each recipient. */
  messages: readonly { to: string; params?: TemplateValues | undefined }[];
  flash?: undefined;
  to?: undefined;
  text?: undefined;
  params?: undefined;
}

/** A text or a template, for all recipients or for each its own. */
export type SmsRequest = { service: string } & OptionalReceiptTarget &
  SendTime &
  Place &
  (OneText | OwnTexts | OneTemplate | OwnParams);

export type SmsResponse = Result<'sendSms'>['result'];

export function smsBody(request: SmsRequest): Body<'sendSms'> {
  const common = { ...receiptRequestOf(request), ...scheduleOf(request), ...placeOf(request) };
  if (request.template !== undefined) {
    const { template: templateId } = request;
    if (request.messages === undefined)
      return {
        type: 'TemplateSendToMany',
        templateId,
        addresses: listOf(request.to),
        params: paramsOf(request.params),
        ...common,
      };
    const messages = request.messages.map(({ to, params }) => ({ phone: to, params: paramsOf(params) }));
    return { type: 'TemplateSendToEach', templateId, messages, ...common };
  }
  const shown = request.flash ? ({ messageClass: 0 } as const) : {};
  if (request.messages === undefined)
    return { type: 'SendToMany', addresses: listOf(request.to), message: request.text, ...shown, ...common };
  const messages = request.messages.map(({ to, text }) => ({ phone: to, message: text }));
  return { type: 'SendToEach', messages, ...shown, ...common };
}

function paramsOf(values: TemplateValues = {}) {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
