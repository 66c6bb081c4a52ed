/** Previews a chat-app request: what the same body would do if it were sent. */
import type { SendChatAppTemplate } from '../src/chatapp/command.ts';
import type { AcceptedChatApp } from '../src/chatapp/plan.ts';
import type { Handler } from '../src/http/contract/operation.ts';
import type { ShownChatAppMessage } from '../src/preview/chatapp.ts';
import type { Preview, Shown } from '../src/preview/preview.ts';
import { commandOf } from './sendChatAppTemplate.ts';

export function previewChatAppTemplate(
  preview: Preview<SendChatAppTemplate, Shown<ShownChatAppMessage, AcceptedChatApp>>,
): Handler<'previewChatAppTemplate'> {
  return async (call) => call.reply(200, await preview({ ...commandOf(call), idempotency: undefined }));
}
