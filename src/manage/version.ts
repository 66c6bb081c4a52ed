/** Tells versions of a resource apart, for callers that must not overwrite a change they have not seen. */
import { createHash } from 'node:crypto';

/** Changes whenever anything that the resource shows changes. 32 hexadecimal digits. */
export function versionOf(view: object): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(view)))
    .digest('hex')
    .slice(0, 32);
}

/** The database returns the properties of JSON columns in an order of its own. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, sorted(inner)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}
