/** Previews an SMS request: what the same body would do if it were sent. */

import type { Handler } from '../src/http/contract/operation.ts';
import type { Preview, Shown } from '../src/preview/preview.ts';
import type { ShownSms } from '../src/preview/sms.ts';
import type { SendSms } from '../src/sms/command.ts';
import type { AcceptedSms } from '../src/sms/plan.ts';
import { commandOf } from './sendSms.ts';

export function previewSms(preview: Preview<SendSms, Shown<ShownSms, AcceptedSms>>): Handler<'previewSms'> {
  return async (call) => call.reply(200, await preview({ ...commandOf(call), idempotency: undefined }));
}
