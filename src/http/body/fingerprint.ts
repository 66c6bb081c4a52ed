/** Decides whether two requests with the same Idempotency-Key are equal. */
import { createHash } from 'node:crypto';

/** Grows whenever the same request would get another fingerprint (see `sameRequest` in src/model/plan.ts). */
const version = 1;

/**
 * The version and SHA-256 over path and body in hex. Neither white space nor the order of properties makes a
 * difference.
 */
export function fingerprintOf(path: string, body: unknown): string {
  const hash = createHash('sha256').update(path).update('\0');
  const digest = hash.update(JSON.stringify(body, withSortedProperties)).digest('hex');
  return `${version}:${digest}`;
}

function withSortedProperties(_name: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
