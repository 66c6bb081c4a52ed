/** What becomes of receipts, and of the endpoints that they are posted to, in words. */
import { own } from '../../platform/text/own.ts';

export interface ToldAttempt {
  at: string;
  status?: number | undefined;
  error?: string | undefined;
}

export interface ToldReceipt {
  state: string;
  attempts: readonly ToldAttempt[];
  /** Absent while it is being posted. */
  nextAttemptAt?: string | undefined;
  /** Its endpoint is parked. */
  parkedUntil?: string | undefined;
}

const errors: Readonly<Record<string, string>> = {
  'connection refused': 'Nothing listens there',
  timeout: 'No response in 10 seconds',
  dns: 'Host name unknown',
  tls: 'Certificate is not valid',
  'address not allowed': 'Private address',
  'no signing secret': 'The client has no signing secret, so nothing was posted',
  'unusable signing secret': 'The signing secret of the client cannot be read, so nothing was posted',
};

/** What came of an attempt to post a receipt. */
export function attemptWords({ status, error }: Omit<ToldAttempt, 'at'>): string {
  if (status === undefined) return own(errors, error ?? '') ?? error ?? 'No response';
  if (status < 300) return 'Acknowledged';
  if (status < 400) return 'Redirects are not followed';
  if (status === 401 || status === 403) return 'The endpoint refuses us: check how it verifies';
  if (status === 410) return 'The endpoint asked us to stop';
  return status >= 500 ? 'The endpoint failed' : 'The endpoint refused it';
}

export type ReceiptCondition =
  | 'acknowledged'
  | 'stopped'
  | 'givenUp'
  | 'parked'
  | 'later'
  | 'due'
  | 'unknown';

/** `now`: in milliseconds since 1970. */
export function conditionOfReceipt(
  { state, attempts, nextAttemptAt, parkedUntil }: ToldReceipt,
  now: number,
): ReceiptCondition {
  if (state === 'Delivered') return 'acknowledged';
  if (state === 'Exhausted') return attempts.at(-1)?.status === 410 ? 'stopped' : 'givenUp';
  if (state !== 'Waiting') return 'unknown';
  if (parkedUntil !== undefined) return 'parked';
  return nextAttemptAt !== undefined && Date.parse(nextAttemptAt) > now ? 'later' : 'due';
}

export interface ReceiptWords {
  word: string;
  /** `until`: how the reader sees the end of parking, or the time of the next attempt. */
  sentence: (until: string) => string;
  next?: string;
}

const repair = 'Once the team has repaired its endpoint,';

/** `unknown` has the state's own name as its word. */
export const receiptWords: { readonly [C in Exclude<ReceiptCondition, 'unknown'>]: ReceiptWords } = {
  acknowledged: { word: 'Acknowledged', sentence: () => 'The endpoint acknowledged the receipt.' },
  stopped: {
    word: 'Given up',
    sentence: () => 'The endpoint responded with 410, which asks us to stop: the receipt was given up.',
    next: `${repair} post the receipt again.`,
  },
  givenUp: {
    word: 'Given up',
    sentence: () => 'The receipt was given up: no attempt was acknowledged.',
    next: `${repair} post the receipt again.`,
  },
  parked: {
    word: 'Waits: endpoint parked',
    sentence: (until) =>
      `The receipt waits: the endpoint failed too often and is parked until ${until}. It then gets one attempt a minute.`,
    next: `${repair} release it: its receipts are then posted at once.`,
  },
  later: {
    word: 'Waiting',
    sentence: (until) => `The receipt waits for its next attempt at ${until}.`,
    next: `${repair} release it, or wait for the next attempt.`,
  },
  due: { word: 'Being posted', sentence: () => 'The receipt is due, and is posted now.' },
};

export interface ToldEndpoint {
  failures: number;
  parkedUntil?: string | undefined;
  /** Receipts given up in the last 24 hours. */
  exhausted: number;
  /** Receipts that wait for an attempt. */
  waiting: number;
}

export type EndpointCondition = 'parked' | 'failing' | 'gaveUp' | 'works';

export function conditionOfEndpoint({ failures, parkedUntil, exhausted }: ToldEndpoint): EndpointCondition {
  if (parkedUntil !== undefined) return 'parked';
  if (failures > 0) return 'failing';
  return exhausted > 0 ? 'gaveUp' : 'works';
}

export const endpointWords: {
  readonly [C in EndpointCondition]: {
    word: string;
    /** What it does, after its name. */
    does: string;
    sentence: (endpoint: ToldEndpoint) => string;
  };
} = {
  parked: {
    word: 'Parked',
    does: 'is parked',
    sentence: ({ failures }) =>
      `${failures.toLocaleString('en')} attempts failed in a row, so it is parked: it gets one attempt a minute, and its other receipts wait.`,
  },
  failing: {
    word: 'Fails',
    does: 'fails',
    sentence: ({ failures }) =>
      failures === 1
        ? 'The last attempt failed.'
        : `${failures.toLocaleString('en')} attempts failed in a row.`,
  },
  gaveUp: {
    word: 'Lost receipts',
    does: 'lost receipts',
    sentence: () =>
      'Receipts of the last 24 hours were given up: the team does not have them until they are posted again.',
  },
  works: { word: 'Works', does: 'works', sentence: () => 'No failed attempts. Nothing needs to be done.' },
};
