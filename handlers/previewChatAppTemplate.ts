/** Previews a chat-app request: what the same body would do if it were sent. */
import { commandOf } from './sendChatAppTemplate.ts';
import type { ServiceHandler } from './service.ts';

export const previewChatAppTemplate: ServiceHandler<'previewChatAppTemplate'> = async (call, service) =>
  call.reply(200, await service.previewChatApp(commandOf(call)));
