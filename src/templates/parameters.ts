/** Checks a request's template parameters, all faults at once, and resolves the text they make. */
import { textLimitCodePoints } from '../sms/units.ts';
import { codePoints } from '../text.ts';
import { formats } from './formats.ts';
import { isPlaceholderName, placeholdersOf, substitute } from './substitute.ts';
import type { ParamDefinition, SmsTemplate, TemplateParameter } from './template.ts';

export type ResolvedTemplate = { text: string } | { faults: readonly string[] };

const forbidden = /[{}\p{Cc}]/u;

/**
 * The text of a template filled with the given parameters, or every fault of them: in the order of the request,
 * then what is missing, in the order of the template. The length of the text is judged only if nothing else
 * is wrong. Never throws.
 */
export function resolveTemplate(
  template: Pick<SmsTemplate, 'content' | 'paramDefinitions'>,
  params: readonly TemplateParameter[],
): ResolvedTemplate {
  const placeholders = placeholdersOf(template.content);
  const definitions = definitionsOf(placeholders, template.paramDefinitions);
  const given = new Map<string, string>();
  const repeated = new Set<string>();
  const faults: string[] = [];

  for (const { name, value } of params) {
    if (!isPlaceholderName(name)) {
      faults.push('Name must be a non-empty identifier using letters, digits, and underscores');
    } else if (!given.has(name)) {
      given.set(name, value);
      faults.push(...faultsOf(name, value, definitions.get(name)));
    } else if (!repeated.has(name)) {
      repeated.add(name);
      faults.push(`Duplicate parameter '${name}'`);
    }
  }
  for (const name of placeholders) {
    // Whatever `required` says: there is nothing else to fill the placeholder with.
    if (definitions.get(name)?.default === undefined && !given.has(name))
      faults.push(`Missing required parameter '${name}'`);
  }
  if (faults.length > 0) return { faults };

  const text = substitute(
    template.content,
    (name) => given.get(name) ?? definitions.get(name)?.default ?? '',
  );
  if (codePoints(text) > textLimitCodePoints) {
    return { faults: [`Resolved content cannot be longer than ${textLimitCodePoints} characters`] };
  }
  if (text.trim() === '') return { faults: ['Resolved content must be non-empty'] };
  return { text };
}

/** The rules of every known name; a placeholder without rules of its own takes any text and requires one. */
function definitionsOf(
  placeholders: readonly string[],
  written: readonly ParamDefinition[],
): ReadonlyMap<string, ParamDefinition> {
  const definitions = new Map<string, ParamDefinition>();
  for (const name of placeholders) definitions.set(name, { name, format: 'PlainText', required: true });
  for (const definition of written) definitions.set(definition.name, definition);
  return definitions;
}

function faultsOf(name: string, value: string, definition: ParamDefinition | undefined): string[] {
  const faults = definition === undefined ? [`Unknown parameter '${name}'`] : [];
  if (value === '') return [...faults, `Value for parameter '${name}' must be non-empty`];
  if (forbidden.test(value))
    return [...faults, `Value for parameter '${name}' contains forbidden characters`];
  if (definition === undefined) return faults;

  const { maxLength, format } = definition;
  if (maxLength !== undefined && codePoints(value) > maxLength) {
    faults.push(templateSide(name, `must not exceed ${maxLength} characters`));
  }
  const expected = formats[format];
  if (expected !== undefined && !expected.accepts.test(value)) faults.push(templateSide(name, expected.rule));
  return faults;
}

/** Rules that the template sets, not the interface, name their parameter twice. */
const templateSide = (name: string, rule: string) =>
  `Parameter '${name}': Value for parameter '${name}' ${rule}`;
