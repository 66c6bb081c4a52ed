/** Previews SMS templates: the resolved text and what a message would cost. */
import { faults, ManagementError, requireNone } from '../../platform/errors/management.ts';
import { codePoints } from '../../platform/text/code-points.ts';
import { type Encoding, outsideGsm7, segmentsOf } from '../../platform/text/segments.ts';
import { unitsOf } from '../../platform/text/units.ts';
import { faultsOfDefinition } from '../../products/templates/definition.ts';
import { resolveTemplate } from '../../products/templates/parameters.ts';
import type { ParamDefinition, TemplateParameter } from '../../products/templates/template.ts';
import type { Management } from '../management.ts';
import { smsTemplates } from './sms-templates.ts';

export interface SmsPreview {
  text: string;
  /** Unicode code points. */
  characters: number;
  units: number;
  encoding: Encoding;
  /** How many a network sends. */
  parts: number;
  /** The characters that GSM-7 lacks, each once. */
  outsideGsm7: string[];
}

/** What fills a template; its content and rules may be others than those that are saved. */
export interface PreviewRequest {
  params: readonly TemplateParameter[];
  content?: string | undefined;
  paramDefinitions?: readonly ParamDefinition[] | undefined;
}

/** Throws a ManagementError with all faults of the template and the parameters. */
export async function previewSmsTemplate(
  management: Management,
  id: string,
  { params, content, paramDefinitions }: PreviewRequest,
): Promise<SmsPreview> {
  const stored = await smsTemplates.get(management, id);
  const template = {
    content: content ?? stored.content,
    paramDefinitions: paramDefinitions ?? stored.paramDefinitions,
  };
  if (content !== undefined || paramDefinitions !== undefined) requireDefinition(template);
  return previewOf(template, params);
}

/** Of a template that is not stored yet. Throws as `previewSmsTemplate`. */
export function previewNewSmsTemplate(template: Template, params: readonly TemplateParameter[]): SmsPreview {
  requireDefinition(template);
  return previewOf(template, params);
}

type Template = Parameters<typeof faultsOfDefinition>[0];

const requireDefinition = (template: Template) =>
  requireNone(faultsOfDefinition(template).map(faults.templateDefinition));

function previewOf(template: Template, params: readonly TemplateParameter[]): SmsPreview {
  const resolved = resolveTemplate(template, params);
  if ('faults' in resolved) throw new ManagementError(resolved.faults.map(faults.templateParameters));
  const { text } = resolved;
  const { encoding, segments } = segmentsOf(text);
  return {
    text,
    characters: codePoints(text),
    units: unitsOf(text),
    encoding,
    parts: segments,
    outsideGsm7: outsideGsm7(text),
  };
}
