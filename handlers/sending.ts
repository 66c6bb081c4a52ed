/** What all sends share: each mode of a body asks for a command of its own, which is accepted with the key of the call. */
import type { Call } from '../src/http/contract/operation.ts';

/** Total over the modes: one more in the contract does not compile until it has a row. */
export type ByMode<Body extends { type: string }, FromBody> = {
  [M in Body['type']]: (body: Extract<Body, { type: M }>) => FromBody;
};

export function inMode<Body extends { type: string }, FromBody>(
  byMode: ByMode<Body, FromBody>,
  body: Body,
): FromBody {
  const read = byMode[body.type as Body['type']] as (body: Body) => FromBody;
  return read(body);
}

type Send = 'sendSms' | 'disburseMobileData' | 'sendChatAppTemplate';

/** What only a send adds to its command, and a preview leaves out. */
export const identityOf = ({
  idempotency,
  requestId,
  trace,
}: Pick<Call<Send>, 'idempotency' | 'requestId' | 'trace'>) => ({ idempotency, requestId, trace });
