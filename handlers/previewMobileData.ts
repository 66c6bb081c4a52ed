/** Previews a disbursement: what the same body would do if it were sent. */
import type { DisburseData } from '../src/data/command.ts';
import type { AcceptedData } from '../src/data/plan.ts';
import type { Handler } from '../src/http/contract/operation.ts';
import type { ShownBundle } from '../src/preview/data.ts';
import type { Preview, Shown } from '../src/preview/preview.ts';
import { commandOf } from './disburseMobileData.ts';

export function previewMobileData(
  preview: Preview<DisburseData, Shown<ShownBundle, AcceptedData>>,
): Handler<'previewMobileData'> {
  return async (call) => call.reply(200, await preview({ ...commandOf(call), idempotency: undefined }));
}
