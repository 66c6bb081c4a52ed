/** Checks a value by a schema of a document, outside of any call. */
import type { ContractDocument } from '../../contract/document.ts';
import { createAjv } from './schemas.ts';
import { placeAndRule, violationOf } from './violations.ts';

/** What is wrong with a value; undefined: nothing. */
export function createValueCheck(
  { enforced }: ContractDocument,
  schemaName: string,
): (value: unknown) => string | undefined {
  // The document around the schemas has no keywords of JSON Schema.
  const ajv = createAjv({ strictSchema: false });
  ajv.addSchema({ $id: 'document', components: enforced.components });
  const validate = ajv.compile({ $ref: `document#/components/schemas/${schemaName}` });
  return (value) => {
    if (validate(value)) return undefined;
    const errors = validate.errors ?? [];
    const misnamed = errors.find(({ keyword }) => keyword === 'propertyNames');
    if (misnamed !== undefined) return `'${misnamed.params.propertyName}' is not a valid name`;
    const violation = violationOf(errors);
    if (violation === undefined) return 'it does not match its schema';
    const { keyword, instancePath, params } = violation;
    // The variants are behind references, so their names cannot be listed.
    if (keyword === 'discriminator' && params.tagValue !== undefined)
      return `${instancePath}/${params.tag} '${params.tagValue}' is unknown`;
    const [place, rule] = placeAndRule(violation);
    return `${place === '' ? 'it' : place} ${rule}`;
  };
}
