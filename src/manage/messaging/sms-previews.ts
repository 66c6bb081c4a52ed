/** Previews SMS templates: the resolved text and what a message would cost. */
import { faults, ManagementError } from '../../errors/management.ts';
import { resolveTemplate } from '../../templates/parameters.ts';
import type { TemplateParameter } from '../../templates/template.ts';
import { codePoints } from '../../text/code-points.ts';
import { type Encoding, segmentsOf } from '../../text/segments.ts';
import { unitsOf } from '../../text/units.ts';
import type { Management } from '../management.ts';
import { getSmsTemplate } from './sms-templates.ts';

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
  const resolved = resolveTemplate(await getSmsTemplate(management, id), params);
  if ('faults' in resolved) throw new ManagementError(resolved.faults.map(faults.templateParameters));
  const { text } = resolved;
  const { encoding, segments } = segmentsOf(text);
  return { text, characters: codePoints(text), units: unitsOf(text), encoding, parts: segments };
}
