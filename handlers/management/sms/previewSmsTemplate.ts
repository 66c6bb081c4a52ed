/** Previews an SMS template: the text and what it costs. */
import { previewSmsTemplate as preview } from '../../../src/manage/messaging/sms-previews.ts';
import type { ManagementHandler } from '../operation.ts';

export const previewSmsTemplate: ManagementHandler<'previewSmsTemplate'> = async (
  { path, body, reply },
  management,
) => {
  return reply(200, await preview(management, path.templateId, body.params));
};
