/** Removes numbers that want messages of the caller's team again. */
import type { ServiceHandler } from './service.ts';

export const removeOptOuts: ServiceHandler<'removeOptOuts'> = async ({ caller, body, reply }, { optOuts }) =>
  reply(200, await optOuts.remove(caller, body));
