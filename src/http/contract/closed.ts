/**
 * Closes the schemas of responses and receipts. Published, they are open so that clients tolerate what is added
 * later; what we send ourselves must be in the document.
 */
import { mapSchemas } from '../../contract/document.ts';

type Schema = Parameters<typeof mapSchemas>[0];

/** A copy that rejects properties and values that the schema does not name. References must be resolved. */
export function closed(schema: object): object {
  return mapSchemas(schema as Schema, (node) => {
    const known = knownValues(node);
    if (known !== undefined) return known;
    const lists = node.type === 'object' && 'properties' in node;
    return lists ? { additionalProperties: false, ...node } : node;
  }) as object;
}

/** The known values of an extensible enum: an `anyOf` of them and any string. */
function knownValues({ anyOf }: { [key: string]: Schema }): { [key: string]: Schema } | undefined {
  if (!Array.isArray(anyOf)) return undefined;
  const [known, unknown] = anyOf as ({ [key: string]: Schema } | undefined)[];
  return known?.enum !== undefined && unknown?.type === 'string' && unknown.enum === undefined
    ? known
    : undefined;
}
