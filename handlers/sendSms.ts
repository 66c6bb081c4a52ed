/** Sends SMS: the four modes of the body become one command. */
import { type BodyOf, type Call, replayHeaders } from '../src/http/contract/operation.ts';
import { errors } from '../src/platform/errors.ts';
import type { SendSms } from '../src/products/sms/command.ts';
import { type ByMode, identityOf, inMode } from './sending.ts';
import type { ServiceHandler } from './service.ts';

type Body = BodyOf<'sendSms'>;
type FromBody = Pick<SendSms, 'audience' | 'templateId' | 'recipients'>;

const byMode: ByMode<Body, FromBody> = {
  SendToEach: ({ messages }) => ({
    audience: 'each',
    templateId: undefined,
    recipients: messages.map((entry, index) => ({
      written: entry.phone,
      content: { text: textOf(entry, index) },
    })),
  }),
  SendToMany: ({ addresses, message }) => ({
    audience: 'many',
    templateId: undefined,
    recipients: addresses.map((written) => ({ written, content: { text: message } })),
  }),
  TemplateSendToEach: ({ templateId, messages }) => ({
    audience: 'each',
    templateId,
    recipients: messages.map(({ phone, params }) => ({ written: phone, content: { params } })),
  }),
  TemplateSendToMany: ({ templateId, addresses, params }) => ({
    audience: 'many',
    templateId,
    recipients: addresses.map((written) => ({ written, content: { params } })),
  }),
};

type Entry = Extract<Body, { type: 'SendToEach' }>['messages'][number];

/** The text by either of its names. The schema has checked one of them; the other may be anything. */
function textOf(entry: Entry, index: number): string {
  if ('message' in entry && 'text' in entry && entry.message !== entry.text)
    throw errors.textsDiffer(`/messages/${index}`);
  return 'message' in entry ? entry.message : entry.text;
}

/** The command that a body asks for; a preview reads it too. */
export function commandOf({
  path,
  body,
  caller,
}: Pick<Call<'sendSms'>, 'path' | 'body' | 'caller'>): Omit<SendSms, 'idempotency'> {
  return {
    ...inMode(byMode, body),
    caller,
    serviceId: path.serviceId,
    receiptRequest: body.receiptRequest,
    schedule: body.schedule,
    timeZone: body.timeZone,
    messageClass: 'messageClass' in body ? body.messageClass : undefined,
  };
}

export const sendSms: ServiceHandler<'sendSms'> = async (call, service) => {
  const { accepted, replayed } = await service.acceptSms({ ...commandOf(call), ...identityOf(call) });
  return call.reply(200, { result: { type: 'SmsResponse', ...accepted } }, replayHeaders(replayed));
};
