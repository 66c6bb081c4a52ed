/** Sends chat-app templates: the two modes of the body become one command. */
import { type BodyOf, type Call, replayHeaders } from '../src/http/contract/operation.ts';
import type { SendChatAppTemplate } from '../src/products/chatapp/command.ts';
import { type ByMode, identityOf, inMode } from './sending.ts';
import type { ServiceHandler } from './service.ts';

type Body = BodyOf<'sendChatAppTemplate'>;
type FromBody = Pick<SendChatAppTemplate, 'audience' | 'recipients'>;

const byMode: ByMode<Body, FromBody> = {
  TemplateSendToEach: ({ messages }) => ({
    audience: 'each',
    recipients: messages.map(({ phone, params }) => ({ written: phone, content: params })),
  }),
  TemplateSendToMany: ({ addresses, params }) => ({
    audience: 'many',
    recipients: addresses.map((written) => ({ written, content: params })),
  }),
};

/** The command that a body asks for; a preview reads it too. */
export function commandOf({
  path,
  body,
  caller,
}: Pick<Call<'sendChatAppTemplate'>, 'path' | 'body' | 'caller'>): Omit<SendChatAppTemplate, 'idempotency'> {
  return {
    ...inMode(byMode, body),
    caller,
    serviceId: path.serviceId,
    phoneNumberId: body.phoneNumberId,
    templateId: body.templateId,
    receiptRequest: body.receiptRequest,
    schedule: body.schedule,
    timeZone: body.timeZone,
  };
}

export const sendChatAppTemplate: ServiceHandler<'sendChatAppTemplate'> = async (call, service) => {
  const { accepted, replayed } = await service.acceptChatApp({ ...commandOf(call), ...identityOf(call) });
  return call.reply(200, { result: { type: 'ChatAppResponse', ...accepted } }, replayHeaders(replayed));
};
