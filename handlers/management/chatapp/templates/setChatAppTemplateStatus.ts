/** Archives or restores a chat-app template. */
import { setChatAppTemplateStatus as setStatus } from '../../../../src/manage/messaging/chatapp-templates.ts';
import { etagOf, type ManagementHandler, wire } from '../../operation.ts';
import { written } from './components.ts';

export const setChatAppTemplateStatus: ManagementHandler<'setChatAppTemplateStatus'> = async (
  { path, body, version, reply },
  management,
) => {
  const changed = await setStatus(management, path.chatAppTemplateId, body.status, version);
  return reply(200, wire(written(changed)), etagOf(changed));
};
