/** Streams the file of a message that a person sent to the caller's team. */
import type { ServiceHandler } from './service.ts';

export const getInboundMedia: ServiceHandler<'getInboundMedia'> = async (
  { caller, path, reply },
  service,
) => {
  const { stream, headers } = await service.getInboundFile(caller.teamId, path.messageId);
  return reply(200, stream, headers);
};
