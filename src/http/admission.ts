/** Bounds the requests in progress: fewer are admitted while they take long, and the rest are rejected at once. */
import { Gauge, type Registry } from 'prom-client';
import type { Stopwatch } from '../platform/clock.ts';
import { admissionStepMs, leastRequestsInProgress, mostRequestsInProgress, slowRequestMs } from './bounds.ts';

/** Ends a request's turn; `counts`: whether its duration reflects how fast the service is. */
export type Leave = (counts: boolean) => void;

export interface Admission {
  /** Undefined: the request must be rejected. */
  enter: () => Leave | undefined;
  inProgress: () => number;
  /** Requests that may be in progress now. */
  limit: () => number;
}

const shrinkBy = 0.8;
const growBy = 1.05;

/**
 * The limit falls while most requests are slow and rises while most are fast, a step each `admissionStepMs`. With few
 * in progress, slow ones are no sign of a queue. While more are in progress than the limit allows, one enters each
 * `slowRequestMs`: without any that completes the limit could not rise again.
 */
export function createAdmission(stopwatch: Stopwatch): Admission {
  let limit = mostRequestsInProgress;
  let inProgress = 0;
  // Since the last step.
  let peak = 0;
  let slow = 0;
  let fast = 0;
  let stepFromMs = stopwatch.elapsedMs();
  let lastDoneMs = stepFromMs;
  let lastEnteredMs = stepFromMs;

  const adjust = (nowMs: number) => {
    if (nowMs - stepFromMs < admissionStepMs) return;
    const stalled = slow + fast === 0 && nowMs - lastDoneMs > slowRequestMs;
    const queueing = peak >= leastRequestsInProgress;
    if (queueing && (stalled || slow > fast)) limit = Math.max(leastRequestsInProgress, limit * shrinkBy);
    else if (fast > slow || !queueing) limit = Math.min(mostRequestsInProgress, limit * growBy);
    peak = inProgress;
    slow = 0;
    fast = 0;
    stepFromMs = nowMs;
  };

  return {
    enter: () => {
      const startedMs = stopwatch.elapsedMs();
      if (inProgress === 0) lastDoneMs = startedMs;
      adjust(startedMs);
      const full = inProgress >= Math.floor(limit);
      const mayTry = inProgress < mostRequestsInProgress && startedMs - lastEnteredMs >= slowRequestMs;
      if (full && !mayTry) return undefined;
      lastEnteredMs = startedMs;
      inProgress += 1;
      peak = Math.max(peak, inProgress);
      let left = false;
      return (counts) => {
        if (left) return;
        left = true;
        inProgress -= 1;
        if (!counts) return;
        lastDoneMs = stopwatch.elapsedMs();
        if (lastDoneMs - startedMs > slowRequestMs) slow += 1;
        else fast += 1;
        adjust(lastDoneMs);
      };
    },
    inProgress: () => inProgress,
    limit: () => Math.floor(limit),
  };
}

export function watchAdmission(registry: Registry, { inProgress, limit }: Admission): void {
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  gauge('tarishi_http_requests_in_progress', 'HTTP requests in progress', inProgress);
  gauge(
    'tarishi_http_requests_limit',
    'HTTP requests that may be in progress before new ones get 429',
    limit,
  );
}
