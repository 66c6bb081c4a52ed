/** Validates a new or changed template and reports all faults at once. */

import { codePoints } from '../../platform/text/code-points.ts';
import { textLimitCodePoints } from '../../platform/text/units.ts';
import { resolveTemplate } from './parameters.ts';
import { placeholdersOf, substitute } from './substitute.ts';
import type { SmsTemplate } from './template.ts';

type Definition = Pick<SmsTemplate, 'content' | 'paramDefinitions'>;

/** Sentences; none for a template that can be filled. */
export function faultsOfDefinition({ content, paramDefinitions }: Definition): string[] {
  const faults: string[] = [];
  const length = codePoints(content);
  if (content.trim() === '') faults.push('the content is empty');
  if (length > textLimitCodePoints)
    faults.push(`the content has ${length} characters, more than ${textLimitCodePoints}`);
  if (/[{}]/.test(substitute(content, () => '')))
    faults.push('the content has braces that are no placeholder such as {{name}} or {{1}}');

  const placeholders = placeholdersOf(content);
  const seen = new Set<string>();
  for (const definition of paramDefinitions) {
    const { name } = definition;
    if (seen.has(name)) faults.push(`parameter ${name} is described twice`);
    seen.add(name);
    if (!placeholders.includes(name)) faults.push(`parameter ${name} has no placeholder in the content`);
    if (definition.default === undefined) {
      if (!definition.required) faults.push(`parameter ${name} is optional and needs a default`);
      continue;
    }
    const { default: value, ...rules } = definition;
    const filled = resolveTemplate({ content: `{{${name}}}`, paramDefinitions: [rules] }, [{ name, value }]);
    if ('faults' in filled) faults.push(`the default of parameter ${name} breaks its own rules`);
  }
  return faults;
}
