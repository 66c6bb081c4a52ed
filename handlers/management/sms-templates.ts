/** SMS templates. */

import * as smsPreviews from '../../src/manage/messaging/sms-previews.ts';
import { reviewSmsTemplate as review, smsTemplates } from '../../src/manage/messaging/sms-templates.ts';
import { etagOf, type ManagementHandler, wire } from './operation.ts';
import { changes, creates, gets, lists } from './resource.ts';

export const listSmsTemplates = lists('listSmsTemplates', smsTemplates);
export const createSmsTemplate = creates('createSmsTemplate', smsTemplates, '/sms-templates/');
export const getSmsTemplate = gets('getSmsTemplate', smsTemplates, 'templateId');
export const updateSmsTemplate = changes('updateSmsTemplate', smsTemplates, 'templateId');

/** Approves or rejects an SMS template. */
export const reviewSmsTemplate: ManagementHandler<'reviewSmsTemplate'> = async (
  { path, body, version, reply },
  management,
) => {
  const changed = await review(management, path.templateId, body, version);
  return reply(200, wire(changed), etagOf(changed));
};

/** Previews an SMS template: the text and what it costs. */
export const previewSmsTemplate: ManagementHandler<'previewSmsTemplate'> = async (
  { path, body, reply },
  management,
) => {
  return reply(200, await smsPreviews.previewSmsTemplate(management, path.templateId, body));
};
