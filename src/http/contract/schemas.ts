/** Compiles all schemas of the contract in the same way. */
import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';

/** Vocabulary beside the schemas that is ours or the document's, not Ajv's. */
const annotations = [
  'x-errors',
  'x-enforced-by',
  'x-option',
  'x-columns',
  'x-platform',
  'x-kind',
  'x-secrets',
  'example',
];

/** One fault gives one error, at its place: the discriminator looks at the chosen variant only. */
export function createAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({
    discriminator: true,
    strict: true,
    strictRequired: false,
    validateSchema: false,
    // Makes the code a little smaller, not faster, and is half the time of compiling.
    code: { optimize: false },
    meta: false,
    verbose: true,
    keywords: annotations,
    ...options,
  });
  addFormats.default(ajv);
  ajv.addFormat('date-time', isStorableInstant);
  return ajv;
}

const isDateTime = fullFormats['date-time'] as { validate: (text: string) => boolean };

/**
 * RFC 3339 has instants that databases write in other ways, or cannot hold: years such as 0000 and, in UTC, 10000, and
 * offsets of sixteen hours and more.
 */
function isStorableInstant(text: string): boolean {
  if (!isDateTime.validate(text) || /[+-](1[6-9]|2\d):?\d\d$/.test(text)) return false;
  // A leap second is the second before it to JavaScript.
  const written = Number(text.slice(0, 4));
  const inUtc = new Date(text.replace(/:60(?=[.Zz+-])/, ':59')).getUTCFullYear();
  return [written, inUtc].every((year) => year >= 1900 && year <= 2999);
}

/** Parameters arrive as text: what their schemas call a number becomes one, and defaults are filled in. */
export const parameterOptions: Options = { coerceTypes: 'array', useDefaults: true };
