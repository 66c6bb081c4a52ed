/** Sends SMS: the four modes of the body become one command. */
import { type BodyOf, type Handler, replayHeaders } from '../src/http/operation.ts';
import type { AcceptSms } from '../src/sms/accept.ts';
import type { SendSms } from '../src/sms/command.ts';

type Body = BodyOf<'sendSms'>;
type Mode = Body['type'];
type Asked = Pick<SendSms, 'audience' | 'templateId' | 'recipients'>;

/** Total over the modes: one more in the contract does not compile until it has a row. */
const askedBy: { [M in Mode]: (body: Extract<Body, { type: M }>) => Asked } = {
  SendToEach: ({ messages }) => ({
    audience: 'each',
    templateId: undefined,
    recipients: messages.map(({ phone, message }) => ({ phone, content: { text: message } })),
  }),
  SendToMany: ({ addresses, message }) => ({
    audience: 'many',
    templateId: undefined,
    recipients: addresses.map((phone) => ({ phone, content: { text: message } })),
  }),
  TemplateSendToEach: ({ templateId, messages }) => ({
    audience: 'each',
    templateId,
    recipients: messages.map(({ phone, params }) => ({ phone, content: { params } })),
  }),
  TemplateSendToMany: ({ templateId, addresses, params }) => ({
    audience: 'many',
    templateId,
    recipients: addresses.map((phone) => ({ phone, content: { params } })),
  }),
};

export function sendSms(acceptSms: AcceptSms): Handler<'sendSms'> {
  return async ({ path, body, caller, idempotency, reply }) => {
    const asked = askedBy[body.type] as (body: Body) => Asked;
    const { accepted, replayed } = await acceptSms({
      ...asked(body),
      caller,
      serviceId: path.serviceId,
      receiptRequest: body.receiptRequest,
      idempotency,
    });
    const { requestId, units, addresses } = accepted;
    return reply(
      200,
      { result: { type: 'SmsResponse', requestId, units, addresses } },
      replayHeaders(replayed),
    );
  };
}
