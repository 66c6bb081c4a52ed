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
  const since = instantOf(body.since);
  const until = body.until === undefined ? undefined : instantOf(body.until);
  if (until !== undefined && until <= since) throw errors.invalidReplayPeriod();
  const { callbackUrl: url, requestId, which } = body;
  return reply(
    200,
    await receipts.replay(caller.teamId, { since, until, url, requestId, which: whichBy[which] }),
  );
};
