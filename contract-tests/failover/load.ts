/** Clients that send without a pause, and repeat what failed with its Idempotency-Key until it is accepted. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { bundleToMany } from '../support/requests/disbursement.ts';
import { toMany } from '../support/requests/sms.ts';
import { call } from '../support/service/api.ts';

export interface Accepted {
  key: string;
  product: 'sms' | 'data';
  phones: string[];
  /** Of an SMS. */
  text: string;
  requestId: string;
  /** The moment of the 200, of performance.now(). */
  atMs: number;
}

export interface Load {
  accepted: Accepted[];
  /** Responses by status. */
  statuses: Map<number, number>;
  /** What a client may not see. */
  faults: string[];
  slowestMs: () => number;
  /** Until `count` more are accepted. */
  more: (count: number) => Promise<void>;
  /** Resolves when every request that was begun is accepted. */
  stop: () => Promise<void>;
}

interface Sender {
  baseUrls: readonly string[];
  token: string;
  smsPath: string;
  dataPath: string;
  receiptUrl: string;
}

const smsClients = 6;
const dataClients = 2;
const pauseMs = 100;
const longestWaitMs = 5_000;
/** So that no two loads send to one number. */
let lastNumber = 0;

export function startLoad({ baseUrls, token, smsPath, dataPath, receiptUrl }: Sender): Load {
  const accepted: Accepted[] = [];
  const statuses: Load['statuses'] = new Map();
  const faults: string[] = [];
  let slowest = 0;
  let stopping = false;
  let calls = 0;

  const nextPhone = () => {
    lastNumber += 1;
    return `+254711${String(lastNumber).padStart(6, '0')}`;
  };
  const post = async (path: string, body: unknown, key: string) => {
    calls += 1;
    const sentMs = performance.now();
    const answer = await call(baseUrls[calls % baseUrls.length] ?? '', path, {
      token,
      body,
      headers: { 'idempotency-key': key },
    });
    slowest = Math.max(slowest, performance.now() - sentMs);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    return answer;
  };
  const client = async (product: Accepted['product']) => {
    while (!stopping) {
      const key = randomUUID();
      const phones = product === 'sms' ? [nextPhone(), nextPhone()] : [nextPhone()];
      const text = `Habari ${key}`;
      const receipt = { receiptRequest: { correlator: key, callbackUrl: receiptUrl } };
      const [path, body] =
        product === 'sms'
          ? [smsPath, toMany(phones, text, receipt)]
          : [dataPath, bundleToMany(phones, '100MB', receipt)];
      for (;;) {
        // A connection that breaks, or a response that is not documented.
        const answer = await post(path, body, key).catch((error: Error) => {
          faults.push(`${error.message} ${String(error.cause ?? '')}`);
        });
        if (answer?.status === 200) {
          const { requestId } = product === 'sms' ? answer.body.result : answer.body;
          accepted.push({ key, product, phones, text, requestId, atMs: performance.now() });
          break;
        }
        const wait = answer?.headers.get('retry-after');
        if (answer !== undefined && (![429, 503].includes(answer.status) || !wait))
          faults.push(`${answer.status}, Retry-After ${wait}: ${answer.text}`);
        await delay(Math.min(Number(wait || 1) * 1_000, longestWaitMs));
      }
      await delay(pauseMs);
    }
  };
  const clients = Promise.all([
    ...Array.from({ length: smsClients }, () => client('sms')),
    ...Array.from({ length: dataClients }, () => client('data')),
  ]);
  return {
    accepted,
    statuses,
    faults,
    slowestMs: () => slowest,
    more: async (count) => {
      const wanted = accepted.length + count;
      while (accepted.length < wanted) await delay(50);
    },
    stop: async () => {
      stopping = true;
      await clients;
    },
  };
}
