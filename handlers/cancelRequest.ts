/** Cancels what is not submitted yet of a request of the caller's team. */
import { errors } from '../src/platform/errors.ts';
import { isUuid } from '../src/read/uuid.ts';
import type { ServiceHandler } from './service.ts';

export const cancelRequest: ServiceHandler<'cancelRequest'> = async ({ caller, path, reply }, service) => {
  const { requestId } = path;
  const done = isUuid(requestId) ? await service.cancel(requestId, caller.teamId) : undefined;
  if (done === undefined) throw errors.requestUnknown(requestId);
  if (done.cancelled === 0) throw errors.nothingToCancel(requestId);
  return reply(200, done);
};
