/** A call that the management API refused. */

export class Refused extends Error {
  readonly status: number;
  /** The name of the error, such as `not-found`. */
  readonly slug: string;
  /** What is wrong, one sentence for each fault. */
  readonly faults: readonly string[];
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    { slug, desc, retryAfter }: { slug: string; desc: string; retryAfter: string | undefined },
  ) {
    super(desc);
    this.status = status;
    this.slug = slug;
    this.faults = desc.split('\n');
    this.retryAfterSeconds = retryAfter === undefined ? undefined : Number(retryAfter);
  }
}
