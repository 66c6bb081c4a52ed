/** How a command ends that does not succeed. */

/** The command failed; the message is for the person who ran it. Exit code 1. */
export class CommandError extends Error {}

/** All faults of a command line. Exit code 2. */
export class UsageError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}
