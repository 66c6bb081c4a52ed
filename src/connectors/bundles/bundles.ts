/** Submits bundles to an HTTP provider under a fixed reference, and queries by it if an outcome is unknown. */
import { ownReasons } from '../../model/words/told.ts';
import { orItemFault } from '../../platform/isolation/fault.ts';
import type { Asked, Connector, HandOver, OutboundMessage } from '../contract/connector.ts';
import { failedMessage } from '../contract/failed-message.ts';
import type { ConnectorContext, ConnectorKind } from '../contract/kind.ts';
import { referenceOf } from '../contract/reference.ts';
import {
  createProviderClient,
  type Exchanged,
  type ProviderClient,
  unansweredWords,
} from '../http/exchange.ts';
import { testExchange } from '../http/test-exchange.ts';
import { plainHttpFault, plainHttpWarning } from '../http/transport.ts';
import { concurrently } from '../runtime/concurrently.ts';
import { createSlowDown, type SlowDown } from '../runtime/slow-down.ts';
import { bundlesInbound } from './callback.ts';
import { type Disbursement, handOverOf, noFloat, refusalOf } from './disbursement.ts';
import { disbursementRequest, readDisbursement } from './documents.ts';
import { type BundleSettings, bundleSettingsSchema } from './settings.ts';

export const bundlesKind: ConnectorKind<BundleSettings> = {
  settingsSchema: bundleSettingsSchema,
  address: ({ baseUrl }) => new URL(baseUrl).origin,
  fault: plainHttpFault,
  warning: plainHttpWarning,
  secretNames: ['token', 'callbackSecret'],
  requiredSecrets: ['token'],
  inbound: bundlesInbound,
  test: (settings, { token = '' }, clock) => {
    const { baseUrl, timeoutSeconds, queryPath, queryParameter, referencePrefix } = settings;
    // Of no message: their references end in digits.
    const reference = encodeURIComponent(`${referencePrefix}test`);
    const path = `${queryPath}?${encodeURIComponent(queryParameter)}=${reference}`;
    return testExchange({ baseUrl, timeoutSeconds, path, token }, clock, ({ status }) =>
      status < 300 || status === 404 ? undefined : `the provider responded ${status} when asked by reference`,
    );
  },
  open: (settings, secrets, context) => {
    const { token } = secrets;
    if (token === undefined) throw new Error('the secret "token" is missing');
    return openBundles(settings, token, context);
  },
};

interface Provider {
  settings: BundleSettings;
  context: ConnectorContext;
  client: ProviderClient;
  token: string;
  slowDown: SlowDown;
}

type Answered = Extract<Exchanged, { kind: 'answered' }>;

/** How soon the provider is queried about a hand-over without a response: it may still be working on it. */
const askAfterSeconds = 10;
/** How often messages of a paused connector are retried. */
const pausedSeconds = 60;
/** One provider, one pace. */
const everybody = '';

function openBundles(settings: BundleSettings, token: string, context: ConnectorContext): Connector {
  const { baseUrl, timeoutSeconds, concurrency } = settings;
  const provider: Provider = {
    settings,
    context,
    client: createProviderClient({ baseUrl, timeoutMs: timeoutSeconds * 1000, clock: context.clock }),
    token,
    slowDown: createSlowDown({ firstSeconds: 2, factor: 2, limitSeconds: 60 }, context.clock),
  };
  return {
    send: (messages, leftMs, lookAgain) =>
      concurrently<OutboundMessage, HandOver>(messages, {
        concurrency,
        leftMs,
        ...(lookAgain === undefined ? {} : { lookAgain: ({ id }) => lookAgain(id) }),
        work: (message) => disburse(provider, message),
        late: () => ({ kind: 'later', delaySeconds: 1 }),
        failed: failedMessage(context.logger),
      }),
    ask: (messages) =>
      concurrently<OutboundMessage, Asked>(messages, {
        concurrency,
        work: (message) => askAbout(provider, message),
        late: () => ({ kind: 'unclear', delaySeconds: 1 }),
        failed: failedMessage(context.logger),
      }),
    close: provider.client.close,
  };
}

async function disburse(provider: Provider, message: OutboundMessage): Promise<HandOver> {
  const { settings, context, client, token, slowDown } = provider;
  const body = orItemFault('the request to the provider cannot be written', () =>
    disbursementRequest(message, settings),
  );
  if (body === undefined)
    return {
      kind: 'rejected',
      state: 'InvalidDenomination',
      reason: ownReasons.unknownBundle,
    };
  const wait = slowDown.wait(everybody);
  if (wait > 0) return { kind: 'later', delaySeconds: wait };
  const exchanged = await client.exchange({
    method: 'POST',
    path: settings.disbursePath,
    headers: {
      Authorization: `Bearer ${token}`,
      [settings.idempotencyHeader]: referenceOf(message, settings),
    },
    body,
  });
  if (exchanged.kind !== 'answered') context.trouble.failed(unansweredWords(exchanged));
  if (exchanged.kind === 'unsent') return later(slowDown);
  if (exchanged.kind === 'unanswered') return { kind: 'unclear', delaySeconds: askAfterSeconds };
  return ofAnswer(provider, message, exchanged);
}

/** The meaning of a response to a disbursement. Only a clear yes and a clear no are certain. */
async function ofAnswer(provider: Provider, message: OutboundMessage, answer: Answered): Promise<HandOver> {
  const { slowDown } = provider;
  const { status, retryAfterSeconds } = answer;
  noteTrouble(provider, status);
  const said = read(provider, message, answer.body);
  const { reason } = said ?? nothingSaid;
  if (status >= 300 && reason.known === 'INSUFFICIENT_FLOAT') return paused(provider, noFloat);
  if (status === 429) return later(slowDown, retryAfterSeconds);
  if (status >= 500 || status === 408)
    return { kind: 'unclear', delaySeconds: slowDown.slower(everybody, retryAfterSeconds) };
  slowDown.works(everybody);
  if (status < 300)
    return said === undefined
      ? { kind: 'unclear', delaySeconds: askAfterSeconds }
      : outcomeOf(provider, said);
  // The provider already has a disbursement with this reference: that one counts, whatever this response says.
  if (reason.known === 'DUPLICATE_REFERENCE' || (status === 409 && reason.known === undefined))
    return existing(provider, message, status);
  if (reason.code === undefined && status !== 400 && status !== 422)
    return paused(provider, `The provider answers ${status}`);
  return {
    kind: 'rejected',
    reasonCode: `HTTP ${status}`,
    ...refusalOf(reason, 'The provider refused the bundle'),
  };
}

function noteTrouble({ context }: Provider, status: number): void {
  if (status === 429) context.trouble.throttled();
  if (status >= 500 || status === 408) context.trouble.failed(`the provider responded ${status}`);
}

async function existing(provider: Provider, message: OutboundMessage, status: number): Promise<HandOver> {
  const asked = await askAbout(provider, message);
  if (asked.kind !== 'unknown') return asked;
  return {
    kind: 'rejected',
    state: 'Duplicated',
    reason: 'The provider had this reference before',
    reasonCode: `HTTP ${status}`,
  };
}

async function askAbout(provider: Provider, message: OutboundMessage): Promise<Asked> {
  const { settings, client, token, slowDown, context } = provider;
  const wait = slowDown.wait(everybody);
  if (wait > 0) return { kind: 'unclear', delaySeconds: wait };
  const reference = encodeURIComponent(referenceOf(message, settings));
  const exchanged = await client.exchange({
    method: 'GET',
    path: `${settings.queryPath}?${encodeURIComponent(settings.queryParameter)}=${reference}`,
    headers: { Authorization: `Bearer ${token}` },
  });
  if (exchanged.kind !== 'answered') {
    context.trouble.failed(unansweredWords(exchanged));
    return { kind: 'unclear', delaySeconds: slowDown.slower(everybody) };
  }
  const { status, body, retryAfterSeconds } = exchanged;
  noteTrouble(provider, status);
  if (status === 404 || (status === 200 && Array.isArray(body) && body.length === 0))
    return { kind: 'unknown' };
  if (status === 429 || status >= 500)
    return { kind: 'unclear', delaySeconds: slowDown.slower(everybody, retryAfterSeconds) };
  slowDown.works(everybody);
  if (status >= 300) {
    await context.pause(`The provider answers ${status} when asked by reference`);
    return { kind: 'unclear', delaySeconds: pausedSeconds };
  }
  const said = read(provider, message, Array.isArray(body) ? body[0] : body);
  return said === undefined ? { kind: 'unclear', delaySeconds: pausedSeconds } : outcomeOf(provider, said);
}

/** A bundle that failed for lack of float stays failed, because its reference is used; others need not fail too. */
async function outcomeOf(provider: Provider, said: Disbursement) {
  const outcome = handOverOf(said);
  if (outcome.kind === 'rejected' && said.reason.known === 'INSUFFICIENT_FLOAT')
    await paused(provider, noFloat);
  return outcome;
}

const nothingSaid = { reason: { known: undefined, code: undefined, message: undefined } };

/** Undefined if it says nothing about this bundle. */
function read({ settings }: Provider, message: OutboundMessage, document: unknown): Disbursement | undefined {
  const said = readDisbursement(document, settings.names.response, settings);
  const { status, transactionId, reference, reason } = said;
  if (reference !== undefined && reference !== referenceOf(message, settings)) return undefined;
  return (status ?? transactionId ?? reason.code) === undefined ? undefined : said;
}

function later(slowDown: SlowDown, seconds?: number): HandOver {
  return { kind: 'later', delaySeconds: slowDown.slower(everybody, seconds) };
}

async function paused({ context, slowDown }: Provider, reason: string): Promise<HandOver> {
  // The rest of the batch would only get the same response.
  slowDown.slower(everybody);
  await context.pause(reason);
  return { kind: 'later', delaySeconds: pausedSeconds };
}
