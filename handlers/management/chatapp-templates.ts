/** Chat-app templates. */

import type { components as schemas } from '../../generated/management.d.ts';
import * as chatappImport from '../../src/manage/messaging/chatapp-import.ts';
import * as chatappPreviews from '../../src/manage/messaging/chatapp-previews.ts';
import {
  type Components,
  chatAppTemplates,
  reviewChatAppTemplate as review,
  setChatAppTemplateStatus as setStatus,
} from '../../src/manage/messaging/chatapp-templates.ts';
import { etagOf, headersOfNew, type ManagementHandler, ownerOf, wire } from './operation.ts';
import { gets, lists } from './resource.ts';

export const listChatAppTemplates = lists('listChatAppTemplates', chatAppTemplates);

/** Adds a chat-app template. */
export const createChatAppTemplate: ManagementHandler<'createChatAppTemplate'> = async (
  { body, caller, reply },
  management,
) => {
  const given = { ...body, components: componentsOf(body.components), teamId: ownerOf(body, caller) };
  const created = await chatAppTemplates.create(management, given);
  return reply(201, wire(created), headersOfNew(created, '/chatapp-templates/', created.id));
};

export const getChatAppTemplate = gets('getChatAppTemplate', chatAppTemplates, 'chatAppTemplateId');

/** Changes a chat-app template. */
export const updateChatAppTemplate: ManagementHandler<'updateChatAppTemplate'> = async (
  { path, body, version, reply },
  management,
) => {
  const components = body.components && componentsOf(body.components);
  const changed = await chatAppTemplates.change(
    management,
    path.chatAppTemplateId,
    { ...body, components },
    version,
  );
  return reply(200, wire(changed), etagOf(changed));
};

/** Sets the approval status of a chat-app template. */
export const reviewChatAppTemplate: ManagementHandler<'reviewChatAppTemplate'> = async (
  { path, body, version, reply },
  management,
) => {
  const changed = await review(management, path.chatAppTemplateId, body, version);
  return reply(200, wire(changed), etagOf(changed));
};

/** Archives or restores a chat-app template. */
export const setChatAppTemplateStatus: ManagementHandler<'setChatAppTemplateStatus'> = async (
  { path, body, version, reply },
  management,
) => {
  const changed = await setStatus(management, path.chatAppTemplateId, body.status, version);
  return reply(200, wire(changed), etagOf(changed));
};

/** Previews a chat-app template: the message as its recipient would see it, and what it costs. */
export const previewChatAppTemplate: ManagementHandler<'previewChatAppTemplate'> = async (
  { path, body, reply },
  management,
) => {
  const components = body.components && componentsOf(body.components);
  const request = { params: body.params, components };
  return reply(
    200,
    await chatappPreviews.previewChatAppTemplate(management, path.chatAppTemplateId, request),
  );
};

/** Imports the chat-app templates of an account at a network. */
export const importChatAppTemplates: ManagementHandler<'importChatAppTemplates'> = async (
  { path, body, reply },
  management,
) => {
  return reply(
    200,
    wire({
      items: await chatappImport.importChatAppTemplates(management, {
        ...body,
        connector: path.connectorName,
      }),
    }),
  );
};

/** The schema has checked which properties go together. */
function componentsOf(components: schemas['schemas']['NewTemplateComponents']): Components {
  return components as Components;
}
