/** When the messages of a request leave: at once, at the time that its client names, or when quiet hours end. */
import type { Category, PlannedMessage, Schedule } from '../../model/plan.ts';
import type { FindOpening } from './windows.ts';

/** What the rules need to know of quiet hours. */
export interface Quiet {
  find: FindOpening;
  /** How long messages of services that do not say wait at most. */
  validitySeconds: number;
}

/** What is asked of all messages of a request. */
export interface Departing {
  category: Category;
  service: { quietHours: boolean; validitySeconds?: number | null };
  schedule: Schedule | undefined;
  timeZone: string | undefined;
  /** Milliseconds since 1970. */
  nowMs: number;
}

export type Departure = Pick<PlannedMessage, 'sendAt' | 'expiresQuietly'>;

/** For each phone (E.164). One that would expire before its window opens is queued, and expires there. */
export function departureOf(
  { category, service, schedule, timeZone, nowMs }: Departing,
  quiet: Quiet,
): (phone: string) => Departure {
  const asked: Departure = schedule === undefined ? {} : { sendAt: schedule.sendAt };
  if (category !== 'MARKETING' || !service.quietHours) return () => asked;
  const fromMs = schedule === undefined ? nowMs : Date.parse(schedule.sendAt);
  const endMs =
    schedule?.validUntil === undefined
      ? fromMs + (service.validitySeconds ?? quiet.validitySeconds) * 1_000
      : Date.parse(schedule.validUntil);
  return (phone) => {
    const opensMs = quiet.find(phone, fromMs, timeZone);
    if (opensMs === undefined) return asked;
    return opensMs < endMs ? { sendAt: new Date(opensMs).toISOString() } : { ...asked, expiresQuietly: true };
  };
}

/** What the response says: when the first message leaves, if none leaves at once or its client named a time. */
export function promiseOf(
  schedule: Schedule | undefined,
  messages: readonly PlannedMessage[],
): { scheduledFor?: string } {
  const own = messages.filter(({ held, expiresQuietly }) => !held && !expiresQuietly);
  if (own.length === 0) return {};
  const times = own.flatMap(({ sendAt }) => sendAt ?? []).sort();
  const scheduledFor = times.length < own.length ? schedule?.sendAt : (times[0] ?? schedule?.sendAt);
  return scheduledFor === undefined ? {} : { scheduledFor };
}
