/** The lease of a lot: until it ends, nobody else submits the lot's messages. */
import { type ClaimedJob, type Lease, leaseFromNowMs } from '../queue/job.ts';

export interface LotLease {
  /**
   * Milliseconds, zero or less once it is over. To be read right before every write to a network: the process may
   * have stood still since the last look.
   */
  leftMs: () => number;
  /** Runs a statement that renews the leases of the jobs. */
  renew: <Result>(statement: (jobs: readonly Lease[]) => Promise<Result>) => Promise<Result>;
}

export function leaseOf(jobs: readonly ClaimedJob<unknown>[]): LotLease {
  let endsMs = Math.min(...jobs.map(({ leaseEndsMs }) => leaseEndsMs));
  return {
    leftMs: () => endsMs - performance.now(),
    renew: async (statement) => {
      const renewedMs = leaseFromNowMs();
      const result = await statement(jobs);
      endsMs = renewedMs;
      return result;
    },
  };
}
