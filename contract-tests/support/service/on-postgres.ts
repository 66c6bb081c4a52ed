/** Suites that need PostgreSQL. Without DATABASE_URL they are skipped, with the reason in the output. */
import { describe } from '@jest/globals';

/** `describe` or `describe.skip`; `reason` completes the sentence "skipped without DATABASE_URL: …". */
export function describeOnPostgres(reason: string): typeof describe | typeof describe.skip {
  if (process.env.DATABASE_URL !== undefined) return describe;
  process.stdout.write(`skipped without DATABASE_URL: ${reason}\n`);
  return describe.skip;
}
