/** Sends chat-app templates and replies: each mode of the body becomes a command. */
import { type BodyOf, type Call, replayHeaders } from '../src/http/contract/operation.ts';
import type {
  AskedFallback,
  ReplyInChatApp,
  SendChatApp,
  SendChatAppTemplate,
  WrittenSms,
} from '../src/products/chatapp/command.ts';
import { type ByMode, identityOf, inMode } from './sending.ts';
import type { ServiceHandler } from './service.ts';

type Body = BodyOf<'sendChatAppTemplate'>;
type What<C> = Omit<C, 'caller' | 'serviceId' | 'phoneNumberId' | 'receiptRequest' | 'idempotency'>;

const byMode: ByMode<Body, What<SendChatAppTemplate> | What<ReplyInChatApp>> = {
  TemplateSendToEach: ({ messages, templateId, schedule, timeZone, fallback }) => ({
    audience: 'each',
    recipients: messages.map(({ phone, params, fallback: own }) => ({
      written: phone,
      content: { params, sms: smsOf(fallback, own) },
    })),
    templateId,
    schedule,
    timeZone,
    fallback: fallbackOf(fallback),
  }),
  TemplateSendToMany: ({ addresses, params, templateId, schedule, timeZone, fallback }) => ({
    audience: 'many',
    recipients: addresses.map((written) => ({ written, content: { params, sms: smsOf(fallback) } })),
    templateId,
    schedule,
    timeZone,
    fallback: fallbackOf(fallback),
  }),
  Reply: ({ inReplyTo, text, media }) => ({
    audience: 'each',
    recipients: [{ written: inReplyTo, content: { text, media } }],
    inReplyTo,
  }),
};

type WrittenFallback = Extract<Body, { type: 'TemplateSendToEach' }>['fallback'];

const fallbackOf = (written: WrittenFallback): AskedFallback | undefined =>
  written && { serviceId: written.serviceId, templateId: written.templateId, after: written.after };

/** The text for one recipient: its own, or that of all. */
function smsOf(
  written: WrittenFallback,
  own: Pick<NonNullable<WrittenFallback>, 'message' | 'params'> = {},
): WrittenSms | undefined {
  return written && { text: own.message ?? written.message, params: own.params ?? written.params };
}

/** The command that a body asks for; a preview reads it too. */
export function commandOf({
  path,
  body,
  caller,
}: Pick<Call<'sendChatAppTemplate'>, 'path' | 'body' | 'caller'>): SendChatApp {
  return {
    ...inMode(byMode, body),
    caller,
    serviceId: path.serviceId,
    phoneNumberId: body.phoneNumberId,
    receiptRequest: body.receiptRequest,
    idempotency: undefined,
  };
}

export const sendChatAppTemplate: ServiceHandler<'sendChatAppTemplate'> = async (call, service) => {
  const { accepted, replayed } = await service.acceptChatApp({ ...commandOf(call), ...identityOf(call) });
  return call.reply(200, { result: { type: 'ChatAppResponse', ...accepted } }, replayHeaders(replayed));
};
