/** Has many receipts of the caller's team posted again. */
import type { BodyOf } from '../src/http/contract/operation.ts';
import { errors } from '../src/platform/errors.ts';
import { instantOf } from '../src/platform/text/instant.ts';
import type { ServiceHandler } from './service.ts';

/** Total over what the body can ask for. */
const whichBy = { Exhausted: 'exhausted', All: 'all' } as const satisfies Record<
  BodyOf<'replayReceipts'>['which'],
  string
>;

export const replayReceipts: ServiceHandler<'replayReceipts'> = async (
  { caller, body, reply },
  { receipts },
) => {
  const from = instantOf(body.from);
  const to = body.to === undefined ? undefined : instantOf(body.to);
  if (to !== undefined && to <= from) throw errors.invalidReplayPeriod();
  const { callbackUrl: url, requestId, which } = body;
  return reply(
    200,
    await receipts.replay(caller.teamId, { from, to, url, requestId, which: whichBy[which] }),
  );
};
