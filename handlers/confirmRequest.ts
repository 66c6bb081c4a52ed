/** Confirms the codes of a request of the caller's team. */
import { errors } from '../src/platform/errors.ts';
import { isUuid } from '../src/read/uuid.ts';
import type { ServiceHandler } from './service.ts';

export const confirmRequest: ServiceHandler<'confirmRequest'> = async ({ caller, path, reply }, service) => {
  const { requestId } = path;
  const confirmed = isUuid(requestId) ? await service.confirm(requestId, caller.teamId) : undefined;
  if (confirmed === undefined) throw errors.requestUnknown(requestId);
  return reply(200, { requestId, confirmed });
};
