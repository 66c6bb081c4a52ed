/** Disburses mobile data: the two modes of the body become one command. */
import { type BodyOf, type Call, replayHeaders } from '../src/http/contract/operation.ts';
import type { DisburseData } from '../src/products/data/command.ts';
import { type ByMode, identityOf, inMode } from './sending.ts';
import type { ServiceHandler } from './service.ts';

type Body = BodyOf<'disburseMobileData'>;
type FromBody = Pick<DisburseData, 'audience' | 'recipients'>;
type Selection = NonNullable<NonNullable<Body['messaging']>['serviceSelection']>;

const byMode: ByMode<Body, FromBody> = {
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

const serviceIdBy: ByMode<Selection, string | undefined> = {
  DefaultService: () => undefined,
  SelfService: ({ serviceId }) => serviceId,
};

/** The disbursement that a body asks for; a preview reads it too. */
export function commandOf({
  path,
  body,
  caller,
}: Pick<Call<'disburseMobileData'>, 'path' | 'body' | 'caller'>): Omit<DisburseData, 'idempotency'> {
  return {
    ...inMode(byMode, body),
    caller,
    campaignId: path.campaignId,
    smsServiceId: inMode(serviceIdBy, body.messaging?.serviceSelection ?? { type: 'DefaultService' }),
    receiptRequest: body.receiptRequest,
    schedule: body.schedule,
  };
}

export const disburseMobileData: ServiceHandler<'disburseMobileData'> = async (call, service) => {
  const { accepted, replayed } = await service.acceptData({ ...commandOf(call), ...identityOf(call) });
  return call.reply(200, accepted, replayHeaders(replayed));
};
