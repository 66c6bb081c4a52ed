/** Adds numbers that want no more messages of the caller's team. */
import type { ServiceHandler } from './service.ts';

export const addOptOuts: ServiceHandler<'addOptOuts'> = async ({ caller, body, reply }, { optOuts }) =>
  reply(200, await optOuts.add(caller, body));
