/** The situations that a client is tested in: the faults that occur, and what a client must do. */
import type { Situation } from '../verdict.ts';
import type { Fault } from './control.ts';
import { sendOperations } from './exchange.ts';
import {
  backsOff,
  doesNotRetry,
  givesUp,
  type Judge,
  meetsFault,
  renewsToken,
  reportsFailure,
  retriesWithSameKey,
  reusesToken,
  sendsKeys,
  sendsOnce,
  sendsSomething,
  succeeds,
  timesOut,
  waitsFor,
} from './judges.ts';

export interface ClientSituation extends Situation {
  faults: readonly Fault[];
  judges: readonly Judge[];
  /** Lasts as long as the client's patience or back-off, so it starts before the others. */
  isLong?: true;
}

const retryAfterSeconds = 2;

/** Of each operation that sends, whichever the client uses. */
const ofSends = (fault: Omit<Fault, 'operation'>): Fault[] =>
  sendOperations.map((operation) => ({ ...fault, operation }));
const once = (kind: Fault['kind']) => ofSends({ kind, times: 1 });

const survives = [meetsFault, succeeds, sendsOnce];
const retries = [...survives, retriesWithSameKey, backsOff];
const toRetry = 'idempotency.md#what-to-retry';

const unreliableConnections: readonly ClientSituation[] = [
  {
    name: 'normal',
    title: 'Everything works.',
    guide: 'idempotency.md#the-key',
    faults: [],
    judges: [succeeds, sendsSomething, sendsKeys, reusesToken],
  },
  {
    name: 'lost-response',
    title: 'The request is accepted, and its response is lost.',
    guide: 'idempotency.md#the-key',
    faults: once('lostResponse'),
    judges: retries,
  },
  {
    name: 'cut-connection',
    title: 'The connection breaks before the request is processed.',
    guide: toRetry,
    faults: once('cutConnection'),
    judges: retries,
  },
  {
    name: 'slow-response',
    title: 'The response takes two seconds.',
    guide: toRetry,
    faults: once('slowResponse'),
    judges: survives,
  },
];

const noResponse = (patienceSeconds: number): ClientSituation => ({
  name: 'no-response',
  title: 'The request is accepted, and no response comes.',
  guide: toRetry,
  faults: ofSends({ kind: 'slowResponse', times: 1, delay: `PT${patienceSeconds}S` }),
  judges: [...survives, timesOut(patienceSeconds), retriesWithSameKey],
  isLong: true,
});

const errorResponses: readonly ClientSituation[] = [
  {
    name: 'rate-limited',
    title: 'The rate limit is exceeded.',
    guide: 'limits.md#rate-limit',
    faults: ofSends({ kind: 'tooManyRequests', times: 1, retryAfterSeconds }),
    judges: [...survives, retriesWithSameKey, waitsFor(retryAfterSeconds)],
  },
  {
    name: 'server-error',
    title: 'The service fails twice with 500.',
    guide: toRetry,
    faults: ofSends({ kind: 'serverError', times: 2 }),
    judges: retries,
  },
  {
    name: 'bad-gateway',
    title: 'A proxy responds 502 with an HTML page.',
    guide: toRetry,
    faults: once('badGateway'),
    judges: retries,
  },
  {
    name: 'conflict',
    title: 'The first request with the same key is still running.',
    guide: toRetry,
    faults: once('conflict'),
    judges: retries,
  },
  {
    name: 'outage',
    title: 'One request fails with 500, however often it is sent.',
    guide: toRetry,
    faults: ofSends({ kind: 'serverError', sameRequest: true }),
    judges: [meetsFault, reportsFailure, givesUp],
    isLong: true,
  },
  {
    name: 'bad-request',
    title: 'A request is rejected with 400.',
    guide: 'errors.md#by-status',
    faults: once('badRequest'),
    judges: [meetsFault, doesNotRetry, reportsFailure],
  },
  {
    name: 'key-reused',
    title: 'The key belongs to another request.',
    guide: toRetry,
    faults: once('keyReused'),
    judges: [meetsFault, doesNotRetry, reportsFailure],
  },
  {
    name: 'expired-token',
    title: 'The token expires between two requests.',
    guide: toRetry,
    faults: once('expiredToken'),
    judges: [...survives, retriesWithSameKey, renewsToken],
  },
  {
    name: 'refused-client',
    title: 'Every token is refused: the client was disabled.',
    guide: toRetry,
    faults: ofSends({ kind: 'expiredToken' }),
    judges: [meetsFault, reportsFailure, givesUp],
  },
  {
    name: 'token-outage',
    title: 'The first request for a token fails with 500.',
    guide: toRetry,
    faults: [{ kind: 'serverError', operation: 'issueToken', times: 1 }],
    judges: survives,
  },
  {
    name: 'unknown-fields',
    title: 'Responses have properties that the document does not have.',
    guide: 'compatibility.md#what-may-be-added',
    faults: [{ kind: 'unknownResponseField' }],
    judges: survives,
  },
];

/** `patienceSeconds`: how long a client may wait for a response. */
export function clientSituations(patienceSeconds: number): ClientSituation[] {
  return [...unreliableConnections, noResponse(patienceSeconds), ...errorResponses];
}
