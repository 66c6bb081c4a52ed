/** Previews SMS templates: the resolved text and what a message would cost. */
import { faults, ManagementError } from '../../platform/errors/management.ts';
import { codePoints } from '../../platform/text/code-points.ts';
import { type Encoding, segmentsOf } from '../../platform/text/segments.ts';
import { unitsOf } from '../../platform/text/units.ts';
import { resolveTemplate } from '../../products/templates/parameters.ts';
import type { TemplateParameter } from '../../products/templates/template.ts';
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
}

/** Throws a ManagementError with all faults of the parameters. */
export async function previewSmsTemplate(
  management: Management,
  id: string,
  params: readonly TemplateParameter[],
): Promise<SmsPreview> {
  const resolved = resolveTemplate(await smsTemplates.get(management, id), params);
  if ('faults' in resolved) throw new ManagementError(resolved.faults.map(faults.templateParameters));
  const { text } = resolved;
  const { encoding, segments } = segmentsOf(text);
  return { text, characters: codePoints(text), units: unitsOf(text), encoding, parts: segments };
}
