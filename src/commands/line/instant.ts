/** Reads instants from command lines. */
import { UsageError } from './command.ts';

/** Undefined if it was not written. Throws a UsageError without a time zone: it would be read in this machine's. */
export function instantOf(option: string, written: string | undefined): Date | undefined {
  if (written === undefined) return undefined;
  const instant = new Date(written);
  if (/T[^T]+(Z|[+-]\d\d:\d\d)$/.test(written) && Number.isFinite(instant.getTime())) return instant;
  throw new UsageError([
    `--${option} must be a date and time with a time zone, such as 2027-01-31T00:00:00Z`,
  ]);
}
