/** Turns an Ajv error into the sentence that the contract publishes for it. */

import type { ErrorObject, ValidateFunction } from 'ajv';
import { countKeywords, lengthKeywords, mapSchemas, omit } from '../../contract/document.ts';
import { shortened } from '../../platform/text/code-points.ts';
import { own } from '../../platform/text/own.ts';
import { createAjv } from './schemas.ts';

type Schema = Parameters<typeof mapSchemas>[0];

/**
 * Finds the violation of a rejected body that comes first in the contract's order of checks: its shape, then the
 * number of recipients, then the shape of each, then lengths and forms. Ajv alone reports in the order of the schema:
 * its `found` stands if nothing comes before it.
 */
export function createViolationFinder(
  bodySchema: Schema,
): (body: unknown, found: ErrorObject) => ErrorObject {
  let stages: ValidateFunction[] | undefined;
  return (body, found) => {
    stages ??= compileStages(bodySchema);
    for (const validate of stages) if (!validate(body)) return violationOf(validate.errors) ?? found;
    return found;
  };
}

function compileStages(bodySchema: Schema): ValidateFunction[] {
  const ajv = createAjv();
  return [
    withoutKeywords(bodySchema, [...lengthKeywords, ...countKeywords, 'items']),
    withoutKeywords(bodySchema, [...lengthKeywords, 'items']),
    withoutKeywords(bodySchema, lengthKeywords),
  ].map((schema) => ajv.compile(schema as object));
}

/**
 * The violation to report of those that Ajv found. There are several only where none of an `anyOf` fits: the
 * deepest is about the alternative that the client meant.
 */
export function violationOf(found: readonly ErrorObject[] | null | undefined): ErrorObject | undefined {
  const depthOf = ({ instancePath }: ErrorObject) => instancePath.split('/').length;
  return found?.reduce((deepest, one) => (depthOf(one) > depthOf(deepest) ? one : deepest));
}

function withoutKeywords(schema: Schema, keywords: readonly string[]): Schema {
  // Only schemas that state a type carry these keywords; a property that is named like one does not.
  return mapSchemas(schema, (node) => (typeof node.type === 'string' ? omit(node, keywords) : node));
}

/** The sentence of one violation. `instancePath` is relative to the body. */
export function sentenceOf(error: ErrorObject): string {
  const published = publishedSentence(error);
  if (published !== undefined) return published.replace('{pointer}', () => error.instancePath);
  const [place, rule] = placeAndRule(error);
  return `${place === '' ? 'The request body' : place} ${rule}`;
}

const parameterPlaces: Readonly<Record<string, string>> = { query: 'Query parameter', header: 'Header' };

/** The sentence of a violation among the parameters, whose place is `/query/limit` or, when it is missing, `/query`. */
export function parameterSentenceOf(error: ErrorObject): string {
  const [place, rule] = placeAndRule(error);
  const [, kind = '', name = '', ...inner] = place.split('/');
  const rest = inner.length === 0 ? '' : ` at /${inner.join('/')}`;
  return `${own(parameterPlaces, kind) ?? kind} ${name}${rest} ${publishedSentence(error) ?? rule}`;
}

function publishedSentence({ parentSchema, keyword }: ErrorObject): string | undefined {
  const sentences: unknown = parentSchema?.['x-errors'];
  if (sentences === null || typeof sentences !== 'object') return undefined;
  const sentence = own(sentences as Record<string, unknown>, keyword);
  return typeof sentence === 'string' ? sentence : undefined;
}

/** What a value of each format is, for sentences. */
const formats: Readonly<Record<string, string>> = {
  'date-time': 'an RFC 3339 date-time',
  date: 'a date such as 2026-01-31',
  time: 'a time such as 08:00:00Z',
  uri: 'an absolute URL',
  uuid: 'a UUID',
  email: 'an email address',
};

export function placeAndRule(error: ErrorObject): [place: string, rule: string] {
  const { instancePath: place, params } = error;
  switch (error.keyword) {
    case 'required':
      return [`${place}/${pointerPart(params.missingProperty)}`, 'is required'];
    case 'additionalProperties':
      return [`${place}/${pointerPart(params.additionalProperty)}`, 'is not allowed'];
    case 'discriminator':
      return params.tagValue === undefined
        ? [`${place}/${params.tag}`, 'is required']
        : [`${place}/${params.tag}`, `must be one of ${variantsOf(error).join(', ')}`];
    case 'type':
      return [place, `must be ${/^[aeiou]/.test(params.type) ? 'an' : 'a'} ${params.type}`];
    case 'const':
      return [place, `must be ${params.allowedValue}`];
    case 'enum':
      return [place, `must be one of ${params.allowedValues.join(', ')}`];
    case 'minLength':
    case 'minItems':
      return [place, params.limit === 1 ? 'must not be empty' : `must have at least ${countOf(error)}`];
    case 'maxLength':
    case 'maxItems':
      return [place, `must have at most ${countOf(error)}`];
    case 'minimum':
    case 'maximum':
      return [place, `must be at ${error.keyword === 'minimum' ? 'least' : 'most'} ${params.limit}`];
    case 'format':
      return [place, `must be ${own(formats, params.format) ?? `of the format ${params.format}`}`];
    case 'pattern':
      return [place, `must match ${params.pattern}`];
    default:
      return [place, error.message ?? 'is not valid'];
  }
}

function countOf({ keyword, params }: ErrorObject): string {
  const noun = keyword.endsWith('Length') ? 'character' : 'item';
  return `${params.limit} ${noun}${params.limit === 1 ? '' : 's'}`;
}

/** A property's name in a pointer; long ones are cut. */
export function pointerPart(name: string): string {
  return shortened(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function variantsOf({ parentSchema, params }: ErrorObject): string[] {
  const variants = (parentSchema?.oneOf ?? []) as { properties?: Record<string, { const?: string }> }[];
  return variants.flatMap(({ properties }) => own(properties, params.tag)?.const ?? []);
}
