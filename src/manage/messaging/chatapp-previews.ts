/** Previews chat-app templates: the message as its recipient would see it, and what it would cost. */

import { faults, ManagementError, requireNone } from '../../platform/errors/management.ts';
import { faultsOfDefinition, parameterFormatOf } from '../../products/chatapp/templates/definition.ts';
import { fillTemplate } from '../../products/chatapp/templates/fill-template.ts';
import type { ChatAppParameter, Fault } from '../../products/chatapp/templates/parameter.ts';
import { checkParameters } from '../../products/chatapp/templates/parameters.ts';
import { type RenderedTemplate, renderTemplate } from '../../products/chatapp/templates/render-template.ts';
import type { Management } from '../management.ts';
import { listAccounts } from '../units/accounts.ts';
import {
  type Components,
  chatAppTemplates,
  type StoredChatAppTemplate,
  templateOf,
} from './chatapp-templates.ts';

export interface ChatAppPreview extends RenderedTemplate {
  /** 0 for a team that is not billed for chat-app messages. */
  units: number;
}

/**
 * `components`: others than those that are saved. Throws a ManagementError with all faults of the template and the
 * parameters.
 */
export async function previewChatAppTemplate(
  management: Management,
  id: string,
  { params, components }: { params: readonly ChatAppParameter[]; components?: Components | undefined },
): Promise<ChatAppPreview> {
  const stored = await chatAppTemplates.get(management, id);
  const template = templateOf(components === undefined ? stored : withComponents(stored, components));
  const checked = checkParameters(template, params, management.clock.now());
  if ('faults' in checked)
    throw new ManagementError(checked.faults.map(sentenceOf).map(faults.templateParameters));
  const accounts = await listAccounts(management, stored.teamId);
  return {
    ...renderTemplate(template, fillTemplate(template, checked.filling)),
    units: accounts.some(({ product }) => product === 'ChatApp') ? 1 : 0,
  };
}

function withComponents(stored: StoredChatAppTemplate, components: Components): StoredChatAppTemplate {
  const definition = { ...components, category: stored.category };
  requireNone(faultsOfDefinition(definition).map(faults.templateDefinition));
  return { ...stored, components, parameterFormat: parameterFormatOf(definition) };
}

function sentenceOf(fault: Fault): string {
  return `${'parameterType' in fault ? fault.parameterType : fault.componentType}: ${fault.error}`;
}
