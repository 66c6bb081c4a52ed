/** Sends chat-app templates: the two modes of the body become one command. */
import { type BodyOf, type Call, replayHeaders } from '../src/http/contract/operation.ts';
import type { SendChatAppTemplate } from '../src/products/chatapp/command.ts';
import type { ServiceHandler } from './service.ts';

type Body = BodyOf<'sendChatAppTemplate'>;
type Mode = Body['type'];
type Asked = Pick<SendChatAppTemplate, 'audience' | 'recipients'>;

/** Total over the modes: one more in the contract does not compile until it has a row. */
const askedBy: { [M in Mode]: (body: Extract<Body, { type: M }>) => Asked } = {
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
  const asked = askedBy[body.type] as (body: Body) => Asked;
  return {
    ...asked(body),
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
  const { idempotency, reply } = call;
  const { accepted, replayed } = await service.acceptChatApp({
    ...commandOf(call),
    idempotency,
    requestId: call.requestId,
    trace: call.trace,
  });
  const { requestId, units, addresses, scheduledFor } = accepted;
  return reply(
    200,
    {
      result: {
        type: 'ChatAppResponse',
        requestId,
        addresses,
        units,
        ...(scheduledFor === undefined ? {} : { scheduledFor }),
      },
    },
    replayHeaders(replayed),
  );
};
