/** Posts a signed sample to an endpoint of the caller. */
import type { ServiceHandler } from './service.ts';

export const testReceipt: ServiceHandler<'testReceipt'> = async ({ caller, body, reply }, service) =>
  reply(200, await service.postSample(caller.clientId, body.callbackUrl));
