/** Judges of a recorded exchange: each looks for one kind of fault, and says what it finds. Pure functions. */
import {
  attemptsOf,
  type Exchange,
  gapMs,
  keyOf,
  type RecordedCall,
  retryOf,
  sendsIn,
  tokenCallsIn,
  tokenOf,
} from './exchange.ts';
import { mostAttempts } from './overdue.ts';

/** `normal`: the exchange of the same client when nothing went wrong. */
export type Judge = (exchange: Exchange, normal: Exchange) => readonly string[];

/** A retry sooner than this does not back off. */
const soonMs = 100;
/** Clocks and schedulers are not exact. */
const toleranceMs = 100;

const faultedIn = (exchange: Exchange) => sendsIn(exchange).filter(({ fault }) => fault !== undefined);
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** A finding for each faulted call, once each. */
const ofFaulted =
  (find: (call: RecordedCall, exchange: Exchange) => string | undefined): Judge =>
  (exchange) => [...new Set(faultedIn(exchange).flatMap((call) => find(call, exchange) ?? []))];

const stoppedBecause = (reason: string) => `The command was stopped: it ${reason}.`;

export const succeeds: Judge = ({ exitCode, stopped }) => {
  if (stopped !== undefined) return [stoppedBecause(stopped)];
  return exitCode === 0 ? [] : [`The command failed (exit code ${exitCode}).`];
};

export const reportsFailure: Judge = ({ exitCode, stopped }) => {
  if (stopped !== undefined) return [stoppedBecause(stopped)];
  return exitCode === 0
    ? ['The command reports success (exit code 0), though a message was not accepted.']
    : [];
};

export const sendsSomething: Judge = ({ messages }) =>
  messages > 0 ? [] : ['No message was accepted: the command must send at least one.'];

export const sendsOnce: Judge = ({ messages }, normal) => {
  if (messages > normal.messages)
    return [`${normal.messages} message(s) were accepted as ${messages}: recipients get duplicates.`];
  if (messages < normal.messages) return [`Only ${messages} of ${normal.messages} message(s) were accepted.`];
  return [];
};

export const sendsKeys: Judge = (exchange) => {
  const sends = sendsIn(exchange);
  const keys = new Set(sends.map(keyOf));
  if (keys.has(undefined)) return ['Requests have no Idempotency-Key.'];
  // On a busy machine a client may retry even if nothing is wrong: the same request with the same key.
  const requests = new Set(sends.map((call) => `${keyOf(call)} ${call.path} ${call.body}`));
  return keys.size < requests.size ? ['Different requests have the same Idempotency-Key.'] : [];
};

/** The same key is what makes a retry safe. */
export const retriesWithSameKey: Judge = ofFaulted((call, exchange) => {
  const retry = retryOf(call, exchange);
  if (retry === undefined) return 'The request was not retried.';
  if (keyOf(call) === undefined) return 'The request was retried without an Idempotency-Key.';
  return keyOf(retry) === keyOf(call) ? undefined : 'The request was retried with another Idempotency-Key.';
});

export const doesNotRetry: Judge = ofFaulted((call, exchange) =>
  retryOf(call, exchange) === undefined ? undefined : `The request was retried after ${call.status}.`,
);

export const backsOff: Judge = ofFaulted((call, exchange) => {
  const retry = retryOf(call, exchange);
  if (retry === undefined || gapMs(call, retry) >= soonMs) return undefined;
  return `The request was retried after ${gapMs(call, retry)} ms, without back-off.`;
});

/** `retryAfterSeconds`: what the response said. */
export const waitsFor = (retryAfterSeconds: number): Judge =>
  ofFaulted((call, exchange) => {
    const retry = retryOf(call, exchange);
    if (retry === undefined || gapMs(call, retry) >= retryAfterSeconds * 1_000 - toleranceMs)
      return undefined;
    return `The request was retried after ${seconds(gapMs(call, retry))}, though Retry-After was ${retryAfterSeconds} s.`;
  });

/** `waitSeconds`: how long the response was withheld. */
export const timesOut = (waitSeconds: number): Judge =>
  ofFaulted((call, exchange) => {
    const retry = retryOf(call, exchange);
    const givesUp = exchange.stopped === undefined && exchange.exitCode !== 0;
    if (retry === undefined ? givesUp : gapMs(call, retry) < waitSeconds * 1_000) return undefined;
    return `The client waited more than ${waitSeconds} s for a response.`;
  });

export const givesUp: Judge = (exchange) => {
  const [first] = sendsIn(exchange);
  if (first === undefined) return [];
  const attempts = attemptsOf(first, exchange);
  const gaps = attempts.slice(1).map((call, index) => gapMs(attempts[index] as RecordedCall, call));
  return [
    ...(exchange.stopped === undefined && attempts.length > mostAttempts
      ? [`The request was sent ${attempts.length} times.`]
      : []),
    ...(gaps.length >= 3 && isConstant(gaps)
      ? [`The pauses between retries do not grow: all take about ${seconds(gaps[0] ?? 0)}.`]
      : []),
  ];
};

/** No growth and no jitter: 15 % are the clock's. */
function isConstant(gaps: readonly number[]): boolean {
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  return gaps.every((gap) => Math.abs(gap - mean) <= Math.max(0.15 * mean, 20));
}

export const reusesToken: Judge = (exchange) => {
  const tokens = tokenCallsIn(exchange).length;
  const sends = sendsIn(exchange).length;
  return sends > 1 && tokens > 1 ? [`${tokens} tokens were requested for ${sends} requests.`] : [];
};

/** A new one for the request that needs it, and the same from then on. */
export const renewsToken: Judge = (exchange, normal) => {
  const old = ofFaulted((call, one) => {
    const retry = retryOf(call, one);
    return retry !== undefined && tokenOf(retry) === tokenOf(call)
      ? 'The request was retried with the expired token.'
      : undefined;
  })(exchange, normal);
  const more = tokenCallsIn(exchange).length - tokenCallsIn(normal).length;
  return more > 1 ? [...old, `One token expired, and ${more} new ones were requested.`] : old;
};

/** A fault that never occurred proves nothing. */
export const meetsFault: Judge = ({ calls }) =>
  calls.some(({ fault }) => fault !== undefined)
    ? []
    : ['The command made no call that the fault could hit.'];
