/** Ids in the order of time: indexes grow at one end, and rows that left together have ids that are close together. */
import { randomUUID } from 'node:crypto';
import { systemClock } from './clock.ts';

/** A UUID in the form of version 4 that begins with the time in milliseconds, as those of version 7 do; 74 bits are random. */
export function newTimedId(nowMs: number = systemClock.now()): string {
  const time = nowMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8, 12)}${randomUUID().slice(13)}`;
}
