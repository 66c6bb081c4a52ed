/** Checks a request's template parameters, reports all faults at once, and resolves the text. */
import { sentences } from '../../platform/errors/parameters.ts';
import { codePoints, shortened } from '../../platform/text/code-points.ts';
import { textLimitCodePoints } from '../../platform/text/units.ts';
import { isPlaceholderName, placeholdersOf, substitute } from './substitute.ts';
import type { ParamDefinition, ParamFormat, SmsTemplate, TemplateParameter } from './template.ts';

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
      faults.push(sentences.name());
    } else if (!given.has(name)) {
      given.set(name, value);
      faults.push(...faultsOf(shortened(name), value, definitions.get(name)));
    } else if (!repeated.has(name)) {
      repeated.add(name);
      faults.push(sentences.duplicate(shortened(name)));
    }
  }
  for (const name of placeholders) {
    // Regardless of `required`: nothing else could fill the placeholder.
    if (definitions.get(name)?.default === undefined && !given.has(name))
      faults.push(sentences.missing(name));
  }
  if (faults.length > 0) return { faults };

  const text = substitute(
    template.content,
    (name) => given.get(name) ?? definitions.get(name)?.default ?? '',
  );
  if (codePoints(text) > textLimitCodePoints)
    return { faults: [sentences.contentTooLong(textLimitCodePoints)] };
  if (text.trim() === '') return { faults: [sentences.contentEmpty()] };
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
  const faults = definition === undefined ? [sentences.unknown(name)] : [];
  if (value === '') return [...faults, sentences.empty(name)];
  if (forbidden.test(value)) return [...faults, sentences.forbiddenCharacters(name)];
  if (definition === undefined) return faults;

  const { maxLength, format } = definition;
  if (maxLength !== undefined && codePoints(value) > maxLength)
    faults.push(sentences.overMaxLength(name, maxLength));
  const expected = formats[format];
  if (expected !== undefined && !expected.accepts.test(value.normalize('NFC')))
    faults.push(expected.refusal(name));
  return faults;
}

interface Format {
  accepts: RegExp;
  refusal: (name: string) => string;
}

/** The values that each format accepts, and the error for others. Letters are those of any script, and so are the digits of Alphanumeric. Values are judged in their NFC form. */
const formats: Readonly<Record<ParamFormat, Format | undefined>> = {
  // Braces and control characters are forbidden in every format; there is nothing else to reject.
  PlainText: undefined,
  Alphanumeric: { accepts: /^[\p{L}\p{Nd}]+$/u, refusal: sentences.alphanumeric },
  Numeric: { accepts: /^[0-9]+$/, refusal: sentences.numeric },
  Name: { accepts: /^[\p{L}\p{M} .'’-]+$/u, refusal: sentences.personName },
};
