/** Reads the JSON file of a chat-app template strictly and reports all faults at once. */
import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Definition } from '../../chatapp/templates/definition.ts';
import type { Button, Header } from '../../chatapp/templates/template.ts';
import { CommandError, UsageError } from '../line/command.ts';

export type WrittenTemplate = Omit<Definition, 'category'>;

const text = { type: 'string' };

function object(properties: object, required: readonly string[] = Object.keys(properties)) {
  return { type: 'object', additionalProperties: false, properties, required };
}

/** Objects whose other properties depend on `tag`. */
function tagged(tag: string, variants: readonly { tags: readonly string[]; others: object }[]) {
  return {
    type: 'object',
    discriminator: { propertyName: tag },
    oneOf: variants.map(({ tags, others }) => object({ [tag]: { enum: tags }, ...others })),
  };
}

function header(media: readonly Header['format'][]) {
  return { tags: media, others: {} };
}

/** Only URL buttons have a URL; `others` do not. */
function buttons(others: readonly Button['type'][]) {
  const items = tagged('type', [
    { tags: ['URL'], others: { text, url: text } },
    { tags: others, others: { text } },
  ]);
  return { type: 'array', items, default: [] };
}

const withText = object({ text });
const card = object(
  {
    header: tagged('format', [header(['IMAGE', 'VIDEO'])]),
    body: withText,
    // The parameters of a card fill no others.
    buttons: buttons(['QUICK_REPLY', 'COPY_CODE', 'PHONE_NUMBER']),
  },
  ['header'],
);
const written = object(
  {
    header: tagged('format', [
      { tags: ['TEXT'], others: { text } },
      header(['IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION']),
    ]),
    body: withText,
    footer: withText,
    buttons: buttons(['QUICK_REPLY', 'COPY_CODE', 'OTP', 'PHONE_NUMBER']),
    limitedTimeOffer: object({ text, hasExpiration: { type: 'boolean' } }),
    carousel: object({ cards: { type: 'array', minItems: 1, maxItems: 10, items: card } }),
  },
  ['body'],
);

/** Throws a CommandError for invalid JSON, and a UsageError for an invalid template. */
export function readTemplateFile(file: string): WrittenTemplate {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CommandError(`${file} cannot be read as JSON: ${(error as Error).message}`);
  }
  return parseTemplate(value);
}

/** The template, with empty lists where it names no buttons. Throws a UsageError. */
export function parseTemplate(value: unknown): WrittenTemplate {
  const template = structuredClone(value);
  const ajv = new Ajv2020({ allErrors: true, discriminator: true, useDefaults: true, verbose: true });
  const validate = ajv.compile<WrittenTemplate>(written);
  if (validate(template)) return template;
  throw new UsageError([...new Set((validate.errors ?? []).map(faultOf))]);
}

function faultOf({ instancePath, keyword, params, message, parentSchema }: ErrorObject): string {
  const place = instancePath.slice(1).replaceAll('/', '.');
  const inside = (name: string) => (place === '' ? name : `${place}.${name}`);
  if (keyword === 'additionalProperties')
    return `${inside(params.additionalProperty)} is not a known property`;
  if (keyword === 'required') return `${inside(params.missingProperty)} is missing`;
  if (keyword === 'discriminator')
    return `${inside(params.tag)} must be one of ${tagsOf(parentSchema, params.tag)}`;
  return `${place === '' ? 'the template' : place} ${message}`;
}

function tagsOf(schema: unknown, tag: string): string {
  const { oneOf } = schema as { oneOf: { properties: Record<string, { enum: string[] }> }[] };
  return oneOf.flatMap(({ properties }) => properties[tag]?.enum ?? []).join(', ');
}
