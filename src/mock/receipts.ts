/** The receipts of an accepted request: which states its messages reach and when, and posting them, signed. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { chatAppReceipt } from '../chatapp/receipt.ts';
import type { Clock } from '../clock.ts';
import { publishedScripts } from '../connectors/simulators/published-scripts.ts';
import { dataReceipt } from '../data/receipt.ts';
import { publishedSecrets } from '../demo/published-secrets.ts';
import type { Plan, PlannedMessage, Product } from '../intake/plan.ts';
import type { CallbackClient } from '../receipts/callback/client.ts';
import { signingKeyOf, signReceipt } from '../receipts/callback/signature.ts';
import { isReported, type ReachedState, type ReportedState, statesBefore } from '../receipts/states.ts';
import { smsReceipt } from '../sms/receipt.ts';

export interface PlannedReceipt {
  /** Since the response to the request. */
  afterSeconds: number;
  state: ReportedState;
  reason?: string | undefined;
  reasonCode?: string | undefined;
}

/** A receipt never overtakes the response to its request. */
const firstAfterSeconds = 0.2;

/** In order; empty where the simulated network stays silent. `receipt`: the state that they end in. */
export function receiptsOf({ product, phone }: PlannedMessage, receipt?: string): PlannedReceipt[] {
  if (receipt !== undefined)
    return pathTo(product, receipt).map((state, index) => ({
      afterSeconds: index + firstAfterSeconds,
      state,
    }));
  const { rejected, reports } = publishedScripts[product](phone);
  const states = rejected === undefined ? reports : [{ afterSeconds: 0, ...rejected }];
  return states
    .filter(({ state }) => isReported(product, state))
    .map((report) => ({ ...report, afterSeconds: report.afterSeconds + firstAfterSeconds }));
}

/** The states that have receipts, up to the last one. */
function pathTo(product: Product, last: string): ReportedState[] {
  const before = statesBefore(product, last as ReportedState).filter((step) => isReported(product, step));
  return [...before, last] as ReportedState[];
}

const bodies: { [P in Product]: (message: ReachedState) => object } = {
  sms: smsReceipt,
  data: dataReceipt,
  chatapp: chatAppReceipt,
};

export interface PosterDependencies {
  client: Pick<CallbackClient, 'post'>;
  clock: Clock;
  /** Called with every receipt. */
  onPosted: (line: string) => void;
  wait?: (ms: number) => Promise<unknown>;
}

/** Posts all receipts of a request; resolves when they are posted. */
export type PostReceipts = (plan: Plan, requestId: string, receipt: string | undefined) => Promise<void>;

export function createReceiptPoster({
  client,
  clock,
  onPosted,
  wait = delay,
}: PosterDependencies): PostReceipts {
  const key = signingKeyOf(publishedSecrets.signingSecret);
  const post = async (url: string, state: ReachedState) => {
    const body = JSON.stringify(bodies[state.product](state));
    const timestampSeconds = Math.floor(clock.now() / 1_000);
    const outcome = await client.post(
      url,
      signReceipt({ id: randomUUID(), timestampSeconds, body, keys: [key] }),
      body,
    );
    const result = outcome.kind === 'answered' ? outcome.status : outcome.reason;
    onPosted(`${state.state} for ${state.phone} posted to ${url}: ${result}`);
  };

  return async (plan, requestId, receipt) => {
    const { correlator = null, callbackUrl } = plan.receiptRequest;
    if (callbackUrl === undefined) return;
    const follow = async (message: PlannedMessage): Promise<void> => {
      let passedSeconds = 0;
      let last: string | undefined;
      for (const [index, { afterSeconds, ...reached }] of receiptsOf(message, receipt).entries()) {
        await wait((afterSeconds - passedSeconds) * 1_000);
        passedSeconds = afterSeconds;
        last = reached.state;
        await post(callbackUrl, {
          ...reachedBy(plan, message, requestId, correlator),
          ...reached,
          sequence: index + 1,
          reachedAt: new Date(clock.now()),
          reason: reached.reason ?? null,
          reasonCode: reached.reasonCode ?? null,
        });
      }
      // An SMS that accompanies a bundle is sent once that is delivered.
      const companion = plan.messages.find(({ held, position }) => held && position === message.position);
      if (!message.held && companion !== undefined && last === 'Delivered') await follow(companion);
    };
    await Promise.all(plan.messages.filter(({ held }) => !held).map(follow));
  };
}

function reachedBy(
  plan: Plan,
  { product, position, channel, phone, content }: PlannedMessage,
  requestId: string,
  correlator: string | null,
) {
  const { teamId, clientId, resourceId, receiptRequest } = plan;
  return {
    ...{ messageId: randomUUID(), networkId: null, callbackUrl: receiptRequest.callbackUrl ?? null },
    ...{ requestId, correlator, teamId, clientId, resourceId },
    ...{ product, position, channel, phone, content },
  };
}
