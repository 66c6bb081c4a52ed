/** Previews an SMS request: what the same body would do if it were sent. */
import { commandOf } from './sendSms.ts';
import type { ServiceHandler } from './service.ts';

export const previewSms: ServiceHandler<'previewSms'> = async (call, service) => {
  const shown = await service.previewSms({ ...commandOf(call), idempotency: undefined });
  return call.reply(200, { ...shown, ignoredProperties: [...call.ignored] });
};
