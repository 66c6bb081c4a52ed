/** Previews a disbursement: what the same body would do if it were sent. */
import { commandOf } from './disburseMobileData.ts';
import type { ServiceHandler } from './service.ts';

export const previewMobileData: ServiceHandler<'previewMobileData'> = async (call, service) =>
  call.reply(200, await service.previewData({ ...commandOf(call), idempotency: undefined }));
