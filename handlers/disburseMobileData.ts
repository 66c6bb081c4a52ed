/** Disburses mobile data: the two modes of the body become one command. */
import { type BodyOf, type Call, replayHeaders } from '../src/http/contract/operation.ts';
import type { DisburseData } from '../src/products/data/command.ts';
import type { ServiceHandler } from './service.ts';

type Body = BodyOf<'disburseMobileData'>;
type Mode = Body['type'];
type Selection = NonNullable<NonNullable<Body['messaging']>['serviceSelection']>;

/** Total over the modes: one more in the contract does not compile until it has a row. */
const askedBy: {
  [M in Mode]: (body: Extract<Body, { type: M }>) => Pick<DisburseData, 'audience' | 'recipients'>;
} = {
  SendToEach: ({ disbursements }) => ({
    audience: 'each',
    recipients: disbursements.map(({ phone, denomination, message }) => ({
      written: phone,
      content: { denomination, message },
    })),
  }),
  SendToMany: ({ phones, denomination, messaging }) => ({
    audience: 'many',
    recipients: phones.map((written) => ({
      written,
      content: { denomination, message: messaging?.message },
    })),
  }),
};

const serviceIdBy: {
  [T in Selection['type']]: (selection: Extract<Selection, { type: T }>) => string | undefined;
} = {
  DefaultService: () => undefined,
  SelfService: ({ serviceId }) => serviceId,
};

/** The disbursement that a body asks for; a preview reads it too. */
export function commandOf({
  path,
  body,
  caller,
}: Pick<Call<'disburseMobileData'>, 'path' | 'body' | 'caller'>): Omit<DisburseData, 'idempotency'> {
  const asked = askedBy[body.type] as (body: Body) => Pick<DisburseData, 'audience' | 'recipients'>;
  const selection = body.messaging?.serviceSelection;
  const serviceId = serviceIdBy[selection?.type ?? 'DefaultService'] as (of: unknown) => string | undefined;
  return {
    ...asked(body),
    caller,
    campaignId: path.campaignId,
    smsServiceId: serviceId(selection),
    receiptRequest: body.receiptRequest,
    schedule: body.schedule,
  };
}

export const disburseMobileData: ServiceHandler<'disburseMobileData'> = async (call, service) => {
  const { idempotency, reply } = call;
  const { accepted, replayed } = await service.acceptData({
    ...commandOf(call),
    idempotency,
    requestId: call.requestId,
    trace: call.trace,
  });
  return reply(200, accepted, replayHeaders(replayed));
};
