/** The one way in which schemas of the contract are compiled. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** Vocabulary beside the schemas that is ours or the document's, not Ajv's. */
const annotations = ['x-errors', 'x-enforced-by', 'example'];

/** One fault gives one error, at its place: the discriminator looks at the chosen variant only. */
export function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    discriminator: true,
    strict: true,
    strictRequired: false,
    validateSchema: false,
    meta: false,
    verbose: true,
    keywords: annotations,
  });
  addFormats.default(ajv);
  return ajv;
}
