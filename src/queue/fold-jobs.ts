/** Puts messages into few jobs: a job costs the database more than a message does. */
import { type DeliveryJob, type Group, laneOf, type Turn } from './job.ts';

/** Messages of one job, unless a single request has more. */
const messagesPerJob = 100;

/** One request's messages of one group. */
export interface RequestShare extends Group, Turn {
  requestId: string;
  messages: number;
  /** How long they may wait for their network. */
  validSeconds: number;
}

/** Jobs for the messages of new requests. */
export function foldJobs(shares: Iterable<RequestShare>): DeliveryJob[] {
  const jobs: DeliveryJob[] = [];
  const open = new Map<string, { requestIds: string[]; messages: number; validSeconds: number }>();
  for (const { requestId, messages, validSeconds, ...alike } of shares) {
    const name = `${laneOf(alike)} ${alike.teamId} ${alike.priority}`;
    const job = open.get(name);
    if (job !== undefined && job.messages + messages <= messagesPerJob) {
      job.requestIds.push(requestId);
      job.messages += messages;
      job.validSeconds = Math.min(job.validSeconds, validSeconds);
      continue;
    }
    const fresh = { ...alike, requestIds: [requestId], messages, validSeconds };
    open.set(name, fresh);
    jobs.push(fresh);
  }
  return jobs;
}

/** A message that goes back to the queue, or into it for the first time. */
export interface JobMessage extends Group, Turn {
  id: string;
  requestId: string;
  /** Absent: it does not expire. */
  validSeconds?: number | undefined;
  /** The time that its place in the queue goes by; absent: after those that wait. */
  placeMs?: number | undefined;
  /** Its network was asked about it, and did not know it. */
  unknown?: boolean | undefined;
  /** It was submitted, and its network did not answer. */
  unanswered?: boolean | undefined;
}

/** Jobs for single messages. */
export function jobsOf(messages: readonly JobMessage[]): DeliveryJob[] {
  const jobs: DeliveryJob[] = [];
  for (const alike of Map.groupBy(messages, nameOf).values())
    for (let from = 0; from < alike.length; from += messagesPerJob) {
      const some = alike.slice(from, from + messagesPerJob);
      const [first] = some;
      if (first === undefined) continue;
      const { product, channel, way, teamId, priority, placeMs, unknown, unanswered } = first;
      const limits = some.flatMap(({ validSeconds }) => validSeconds ?? []);
      jobs.push({
        product,
        channel,
        ...(way === undefined ? {} : { way }),
        teamId,
        priority,
        requestIds: [...new Set(some.map(({ requestId }) => requestId))],
        messageIds: some.map(({ id }) => id),
        messages: some.length,
        ...(limits.length === 0 ? {} : { validSeconds: Math.min(...limits) }),
        ...(placeMs === undefined ? {} : { placeMs }),
        ...(unknown ? { unknown } : {}),
        ...(unanswered ? { unanswered } : {}),
      });
    }
  return jobs;
}

function nameOf(message: JobMessage): string {
  const { teamId, priority, placeMs = '', unknown = false, unanswered = false } = message;
  return `${laneOf(message)} ${teamId} ${priority} ${placeMs} ${unknown} ${unanswered}`;
}
