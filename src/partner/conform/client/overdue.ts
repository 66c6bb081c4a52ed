/** Decides when a run of a client's command has gone on too long: by its calls, so that slow clients may be slow. */
import { keyOf, type RecordedCall, sendOperations } from './exchange.ts';

/** A client that sends a request more often does not give up. */
export const mostAttempts = 10;
/** Compared with a run in which everything works: each request as often as allowed, each time with a new token. */
const mostCallsPerCall = 2 * mostAttempts;
/** For a run of which nothing is known yet. */
const mostCallsAtFirst = 1_000;
const quietSeconds = 60;

export interface Allowance {
  /** How long a client may wait for a response. */
  patienceSeconds: number;
  /** The calls of this command when everything works; undefined: not known. */
  normalCalls: number | undefined;
}

/** `startedMs`, `nowMs`: by the clock that the calls were recorded with. */
export interface Span {
  startedMs: number;
  nowMs: number;
}

/** For people, before the first run. */
export function limitsOf(patienceSeconds: number): string {
  const quiet = `makes no call for ${quietSeconds + patienceSeconds} s and twice its longest pause`;
  return `A command is stopped when it ${quiet}, or sends a request more than ${mostAttempts} times.`;
}

/** Why the command must be stopped, as the end of a sentence about it; undefined: it may go on. */
export function whyOverdue(
  calls: readonly RecordedCall[],
  { startedMs, nowMs }: Span,
  { patienceSeconds, normalCalls }: Allowance,
): string | undefined {
  const attempts = Math.max(0, ...countAttempts(calls).values());
  if (attempts > mostAttempts)
    return `sent the same request ${attempts} times, and ${mostAttempts} are allowed`;

  const mostCalls =
    normalCalls === undefined ? mostCallsAtFirst : Math.max(1, normalCalls) * mostCallsPerCall;
  if (calls.length > mostCalls) return `made ${calls.length} calls, and ${mostCalls} are allowed`;

  const times = [startedMs, ...calls.map(({ at }) => Date.parse(at))];
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const longestSeconds = Math.max(0, ...pauses) / 1_000;
  const allowedSeconds = quietSeconds + patienceSeconds + 2 * longestSeconds;
  if (nowMs - (times.at(-1) ?? startedMs) <= allowedSeconds * 1_000) return undefined;
  const sum = `${quietSeconds} s, ${patienceSeconds} s of --patience, and twice its longest pause`;
  return `made no call for ${Math.round(allowedSeconds)} s, which is the limit: ${sum}`;
}

/** How often each request was sent. Without a key only its body tells it from others. */
function countAttempts(calls: readonly RecordedCall[]): Map<string, number> {
  const attempts = new Map<string, number>();
  for (const call of calls) {
    if (!sendOperations.includes(call.operation ?? '')) continue;
    const request = keyOf(call) ?? `${call.path} ${call.body}`;
    attempts.set(request, (attempts.get(request) ?? 0) + 1);
  }
  return attempts;
}
