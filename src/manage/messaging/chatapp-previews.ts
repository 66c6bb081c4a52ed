/** Previews chat-app templates: the message as its recipient would see it, and what it would cost. */

import { faults, ManagementError, requireNone } from '../../platform/errors/management.ts';
import { faultsOfDefinition, parameterFormatOf } from '../../products/chatapp/templates/definition.ts';
import { fillTemplate } from '../../products/chatapp/templates/fill-template.ts';
import type { ChatAppParameter, Fault } from '../../products/chatapp/templates/parameter.ts';
import { checkParameters } from '../../products/chatapp/templates/parameters.ts';
import { type RenderedTemplate, renderTemplate } from '../../products/chatapp/templates/render-template.ts';
import type { ChatAppTemplate } from '../../products/chatapp/templates/template.ts';
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
  const template = templateOf(
    components === undefined ? stored : { ...stored, ...defined(components, stored.category) },
  );
  const rendered = renderedOf(template, params, management.clock.now());
  const accounts = await listAccounts(management, stored.teamId);
  return {
    ...rendered,
    units: accounts.some(({ product }) => product === 'ChatApp') ? 1 : 0,
  };
}

/** Of a template that is not stored yet. Throws as `previewChatAppTemplate`. */
export function previewNewChatAppTemplate(
  { components, category }: Pick<StoredChatAppTemplate, 'components' | 'category'>,
  params: readonly ChatAppParameter[],
  nowMs: number,
): RenderedTemplate {
  const { parameterFormat } = defined(components, category);
  const template = { ...components, category, parameterFormat, ...unnamed };
  return renderedOf(template, params, nowMs);
}

/** What a drawing does not show. */
const unnamed = { id: '', name: '', language: '', status: 'Active', approvalStatus: 'PENDING' } as const;

/** What follows from components that fit the category. */
function defined(components: Components, category: StoredChatAppTemplate['category']) {
  const definition = { ...components, category };
  requireNone(faultsOfDefinition(definition).map(faults.templateDefinition));
  return { components, parameterFormat: parameterFormatOf(definition) };
}

function renderedOf(
  template: ChatAppTemplate,
  params: readonly ChatAppParameter[],
  nowMs: number,
): RenderedTemplate {
  const checked = checkParameters(template, params, nowMs);
  if ('faults' in checked)
    throw new ManagementError(checked.faults.map(sentenceOf).map(faults.templateParameters));
  return renderTemplate(template, fillTemplate(template, checked.filling));
}

function sentenceOf(fault: Fault): string {
  return `${'parameterType' in fault ? fault.parameterType : fault.componentType}: ${fault.error}`;
}
