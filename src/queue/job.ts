/** The jobs of the queue: deliveries, and queries to networks. */
import type { Priority, Product } from '../model/plan.ts';

export type QueueName = 'deliver' | 'poll';

/** Whose messages are submitted together. */
export interface Group {
  product: Product;
  channel: string;
  /** What they may go through, as `wayOf` of src/model/route.ts says; absent: they have yet to be matched, if their channel has routes. */
  way?: string | undefined;
}

/** What decides which job of a lane is claimed first. */
export interface Turn {
  teamId: string;
  priority: Priority;
}

/**
 * Unsubmitted messages of one group and team. No two jobs ever hold the same message: a new request's messages are
 * named by the request, later ones by their own ids.
 */
export interface DeliveryJob extends Group, Turn {
  requestIds: readonly string[];
  /** Only these of the requests' messages; absent or null: all. */
  messageIds?: readonly string[] | null;
  /** Their network was asked about them before this job was made, and did not know them. */
  unknown?: boolean | undefined;
  /** They were submitted before this job was made, and their network did not answer. */
  unanswered?: boolean | undefined;
  /** How many messages it has. */
  messages: number;
  /** The job is claimed by then even if its connector takes no messages; absent: never. */
  validSeconds?: number | undefined;
  /** Keeps the place of an earlier job, by its time; absent: after those that wait. */
  placeMs?: number | undefined;
}

/** Bundles whose network is queried about their outcome, in case it does not report it. */
export interface PollJob {
  messageIds: readonly string[];
  /** How many queries there were before. */
  polls: number;
}

export type JobOf = { deliver: DeliveryJob; poll: PollJob };

/** A claimed job. After its lease expires another worker may claim it; `claims` tells the claims apart. */
export interface Lease {
  id: string;
  claims: number;
}

/** What statements need of leases. */
export function leaseRows(jobs: readonly Lease[]): Lease[] {
  return jobs.map(({ id, claims }) => ({ id, claims }));
}

export interface ClaimedJob<Data> extends Lease {
  data: Data;
  /** When the lease ends, by the stopwatch of this process. */
  leaseEndsMs: number;
}

/** Longer than any connector may take for one batch. */
export const leaseSeconds = 60;

/**
 * When a lease ends that is claimed or renewed now. To be called before the statement is sent: the process may stand
 * still while the response is on its way, and to others the lease has begun by then.
 */
export function leaseFromNowMs(): number {
  return performance.now() + leaseSeconds * 1_000;
}

/** Jobs of one lane wait for the same connectors, and for nothing else. */
export function laneOf({ product, channel, way }: Group): string {
  return way === undefined ? `${product} ${channel}` : `${product} ${channel} ${way}`;
}

/** SQL: what the lanes of a channel have in common, whatever their way. */
export const channelOfLane = (lane: string) =>
  `split_part(${lane}, ' ', 1) || ' ' || split_part(${lane}, ' ', 2)`;

/** SQL, for `with recursive`: the lanes that have jobs. Each step is one look into an index. */
export const lanesText = `lanes as (
    (select lane from jobs where queue = 'deliver' order by lane limit 1)
    union all
    select next.lane from lanes, lateral (
      select lane from jobs where queue = 'deliver' and lane > lanes.lane order by lane limit 1
    ) as next
  )`;
