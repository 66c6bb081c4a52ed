/** Sends chat-app templates and replies: each mode of the body becomes a command. */
import { type BodyOf, type Call, replayHeaders } from '../src/http/contract/operation.ts';
import type { ReplyInChatApp, SendChatApp, SendChatAppTemplate } from '../src/products/chatapp/command.ts';
import { type ByMode, identityOf, inMode } from './sending.ts';
import type { ServiceHandler } from './service.ts';

type Body = BodyOf<'sendChatAppTemplate'>;
type What<C> = Omit<C, 'caller' | 'serviceId' | 'phoneNumberId' | 'receiptRequest' | 'idempotency'>;

const byMode: ByMode<Body, What<SendChatAppTemplate> | What<ReplyInChatApp>> = {
  TemplateSendToEach: ({ messages, templateId, schedule, timeZone }) => ({
    audience: 'each',
    recipients: messages.map(({ phone, params }) => ({ written: phone, content: params })),
    templateId,
    schedule,
    timeZone,
  }),
  TemplateSendToMany: ({ addresses, params, templateId, schedule, timeZone }) => ({
    audience: 'many',
    recipients: addresses.map((written) => ({ written, content: params })),
    templateId,
    schedule,
    timeZone,
  }),
  Reply: ({ inReplyTo, text, media }) => ({
    audience: 'each',
    recipients: [{ written: inReplyTo, content: { text, media } }],
    inReplyTo,
  }),
};

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
