/** Posts receipts as the service does, records every attempt, and injects the faults that tests ask for. */
import { setTimeout as delay } from 'node:timers/promises';
import type { components } from '../../../generated/sandbox.d.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import type { CallbackClient, PostOutcome } from '../../receipts/callback/client.ts';
import { signingKeyOf, signReceipt } from '../../receipts/callback/signature.ts';
import type { Fault, Faults, ReceiptFaultKind } from './faults.ts';
import type { Recording } from './recording.ts';
import { secondsOf } from './time/duration.ts';

export type PostedReceipt = components['schemas']['PostedReceipt'];

export interface CallbackDependencies {
  client: CallbackClient;
  faults: Pick<Faults, 'ofReceipt'>;
  posted: Recording<PostedReceipt>;
  clock: Clock;
  /** Every receipt is signed with it. */
  signingSecret: string;
  /** Where all receipts are posted; undefined: to the callbackUrl of their request. */
  receiptsTo: string | undefined;
}

interface Post {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** A receipt that nothing follows is posted after this long all the same. */
const reorderedAfterMs = 1_000;

export function createSandboxCallbacks({
  client,
  faults,
  posted,
  clock,
  signingSecret,
  receiptsTo,
}: CallbackDependencies): CallbackClient {
  const key = signingKeyOf(signingSecret);
  /** Receipts that wait for the next one. */
  let held: (() => void)[] = [];

  const send = async ({ url, headers, body }: Post, fault?: ReceiptFaultKind): Promise<PostOutcome> => {
    const postedAt = new Date(clock.now()).toISOString();
    const outcome = await client.post(url, headers, body);
    posted.add({
      url,
      headers,
      receipt: JSON.parse(body),
      postedAt,
      outcome: outcome.kind === 'answered' ? String(outcome.status) : outcome.reason,
      ...(fault === undefined ? {} : { fault }),
    });
    return outcome;
  };

  /** Receivers compare the time of a signature with their own clocks, which no sandbox moves. */
  const sign = (id: string, body: string) =>
    signReceipt({ id, timestampSeconds: Math.floor(systemClock.now() / 1_000), body, keys: [key] });
  const ways = createWays({ send, sign, held: (release) => held.push(release) });

  return {
    post: async (url, headers, body) => {
      const post = {
        url: receiptsTo ?? url,
        headers: { ...headers, ...sign(headers['webhook-id'] ?? '', body) },
        body,
      };
      const fault = faults.ofReceipt();
      if (fault !== undefined) return ways[fault.kind](post, fault);
      const outcome = await send(post);
      for (const release of held) release();
      held = [];
      return outcome;
    },
    close: client.close,
  };
}

interface Poster {
  send: (post: Post, fault?: ReceiptFaultKind) => Promise<PostOutcome>;
  sign: (id: string, body: string) => Readonly<Record<string, string>>;
  /** Calls back once the next receipt was posted. */
  held: (release: () => void) => void;
}

/** How a receipt is posted under each fault. */
function createWays({ send, sign, held }: Poster): {
  [F in ReceiptFaultKind]: (post: Post, fault: Fault) => Promise<PostOutcome>;
} {
  const withBody = ({ url, headers }: Post, receipt: object): Post => {
    const body = JSON.stringify(receipt);
    return { url, body, headers: { ...headers, ...sign(headers['webhook-id'] ?? '', body) } };
  };

  return {
    duplicateReceipt: async (post) => {
      const outcome = await send(post);
      await send(post, 'duplicateReceipt');
      return outcome;
    },
    reorderedReceipt: async (post) => {
      await Promise.race([new Promise<void>((resolve) => held(resolve)), delay(reorderedAfterMs)]);
      return send(post, 'reorderedReceipt');
    },
    lateReceipt: async (post, { delay: late = 'PT2S' }) => {
      await delay(Math.min(secondsOf(late), 60) * 1_000);
      return send(post, 'lateReceipt');
    },
    wronglySignedReceipt: (post) => {
      const other = withBody(post, { ...JSON.parse(post.body), type: 'Forged' });
      return send({ ...post, headers: other.headers }, 'wronglySignedReceipt');
    },
    unknownReceiptField: (post) =>
      send(withBody(post, { ...JSON.parse(post.body), sandboxField: 'unknown' }), 'unknownReceiptField'),
    unknownReceiptState: (post) =>
      send(
        withBody(post, { ...JSON.parse(post.body), deliveryStatus: 'SandboxState' }),
        'unknownReceiptState',
      ),
  };
}
