/** Submits bundles to an HTTP provider under a fixed reference, and queries by it if an outcome is unknown. */
import { connectorSettings } from '../../../generated/connector-settings.ts';
import { ownReasons } from '../../model/words/told.ts';
import { orItemFault } from '../../platform/isolation/fault.ts';
import type { Connector, HandOver, OutboundMessage, QueryResult } from '../contract/connector.ts';
import { failedMessage } from '../contract/failed-message.ts';
import type { ConnectorContext, ConnectorKind } from '../contract/kind.ts';
import { referenceOf } from '../contract/reference.ts';
import type { Exchanged } from '../http/exchange.ts';
import { eachMessage, exchange, later, openProvider, type Provider, paused } from '../http/provider.ts';
import { testExchange } from '../http/test-exchange.ts';
import { plainHttpFault, plainHttpWarning } from '../http/transport.ts';
import { concurrently } from '../runtime/concurrently.ts';
import { bundlesInbound } from './callback.ts';
import { type Disbursement, handOverOf, noFloat, refusalOf } from './disbursement.ts';
import { disbursementRequest, readDisbursement } from './documents.ts';
import type { BundleSettings } from './settings.ts';

export const bundlesKind: ConnectorKind<BundleSettings> = {
  documented: connectorSettings.bundles,
  address: ({ baseUrl }) => new URL(baseUrl).origin,
  fault: plainHttpFault,
  warning: plainHttpWarning,
  inbound: bundlesInbound,
  test: (settings, { token = '' }, clock) => {
    const { baseUrl, timeoutSeconds, queryPath, queryParameter, referencePrefix } = settings;
    // Of no message: their references end in digits.
    const reference = encodeURIComponent(`${referencePrefix}test`);
    const path = `${queryPath}?${encodeURIComponent(queryParameter)}=${reference}`;
    const headers = { Authorization: `Bearer ${token}` };
    return testExchange({ baseUrl, timeoutSeconds, path, headers }, clock, ({ status }) =>
      status < 300 || status === 404 ? undefined : `the provider responded ${status} when asked by reference`,
    );
  },
  open: (settings, secrets, context) => {
    const { token } = secrets;
    if (token === undefined) throw new Error('the secret "token" is missing');
    return openBundles(settings, token, context);
  },
};

interface BundleProvider extends Provider {
  settings: BundleSettings;
  token: string;
}

type Answered = Extract<Exchanged, { kind: 'answered' }>;

/** How soon the provider is queried about a hand-over without a response: it may still be working on it. */
const askAfterSeconds = 10;
/** How soon it is queried again that says nothing of a bundle. */
const againSeconds = 60;

function openBundles(settings: BundleSettings, token: string, context: ConnectorContext): Connector {
  const { concurrency } = settings;
  const provider: BundleProvider = { ...openProvider(settings, context), settings, token };
  const failed = failedMessage(context.logger);
  return {
    send: eachMessage({ concurrency, work: (message) => disburse(provider, message), failed }),
    ask: (messages) =>
      concurrently<OutboundMessage, QueryResult>(messages, {
        concurrency,
        work: (message) => askAbout(provider, message),
        late: () => ({ kind: 'unclear', delaySeconds: 1 }),
        failed,
      }),
    close: provider.client.close,
  };
}

async function disburse(provider: BundleProvider, message: OutboundMessage): Promise<HandOver> {
  const { settings, token } = provider;
  const body = orItemFault('the request to the provider cannot be written', () =>
    disbursementRequest(message, settings),
  );
  if (body === undefined)
    return {
      kind: 'rejected',
      state: 'InvalidDenomination',
      reason: ownReasons.unknownBundle,
    };
  const wait = provider.waitSeconds();
  if (wait > 0) return { kind: 'later', delaySeconds: wait };
  const exchanged = await exchange(provider, {
    method: 'POST',
    path: settings.disbursePath,
    headers: {
      Authorization: `Bearer ${token}`,
      [settings.idempotencyHeader]: referenceOf(message, settings),
    },
    body,
  });
  if (exchanged.kind === 'unsent') return later(provider);
  if (exchanged.kind === 'unanswered') return { kind: 'unclear', delaySeconds: askAfterSeconds };
  return ofAnswer(provider, message, exchanged);
}

/** The meaning of a response to a disbursement. Only a clear yes and a clear no are certain. */
async function ofAnswer(
  provider: BundleProvider,
  message: OutboundMessage,
  answer: Answered,
): Promise<HandOver> {
  const { status, retryAfterSeconds } = answer;
  const said = read(provider, message, answer.body);
  const { reason } = said ?? nothingSaid;
  if (status >= 300 && reason.known === 'INSUFFICIENT_FLOAT') return paused(provider, noFloat);
  if (status === 429) return later(provider, retryAfterSeconds);
  if (status >= 500 || status === 408)
    return { kind: 'unclear', delaySeconds: provider.slower(retryAfterSeconds) };
  provider.works();
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

async function existing(
  provider: BundleProvider,
  message: OutboundMessage,
  status: number,
): Promise<HandOver> {
  const asked = await askAbout(provider, message);
  if (asked.kind !== 'unknown') return asked;
  return {
    kind: 'rejected',
    state: 'Duplicated',
    reason: 'The provider had this reference before',
    reasonCode: `HTTP ${status}`,
  };
}

async function askAbout(provider: BundleProvider, message: OutboundMessage): Promise<QueryResult> {
  const { settings, token, context } = provider;
  const wait = provider.waitSeconds();
  if (wait > 0) return { kind: 'unclear', delaySeconds: wait };
  const reference = encodeURIComponent(referenceOf(message, settings));
  const exchanged = await exchange(provider, {
    method: 'GET',
    path: `${settings.queryPath}?${encodeURIComponent(settings.queryParameter)}=${reference}`,
    headers: { Authorization: `Bearer ${token}` },
  });
  if (exchanged.kind !== 'answered') return { kind: 'unclear', delaySeconds: provider.slower() };
  const { status, body, retryAfterSeconds } = exchanged;
  if (status === 404 || (status === 200 && Array.isArray(body) && body.length === 0))
    return { kind: 'unknown' };
  if (status === 429 || status >= 500)
    return { kind: 'unclear', delaySeconds: provider.slower(retryAfterSeconds) };
  provider.works();
  if (status >= 300) {
    await context.pause(`The provider answers ${status} when asked by reference`);
    return { kind: 'unclear', delaySeconds: againSeconds };
  }
  const said = read(provider, message, Array.isArray(body) ? body[0] : body);
  return said === undefined ? { kind: 'unclear', delaySeconds: againSeconds } : outcomeOf(provider, said);
}

/** A bundle that failed for lack of float stays failed, because its reference is used; others need not fail too. */
async function outcomeOf(provider: BundleProvider, said: Disbursement) {
  const outcome = handOverOf(said);
  if (outcome.kind === 'rejected' && said.reason.known === 'INSUFFICIENT_FLOAT')
    await paused(provider, noFloat);
  return outcome;
}

const nothingSaid = { reason: { known: undefined, code: undefined, message: undefined } };

/** Undefined if it says nothing about this bundle. */
function read(
  { settings }: BundleProvider,
  message: OutboundMessage,
  document: unknown,
): Disbursement | undefined {
  const said = readDisbursement(document, settings.names.response, settings);
  const { status, transactionId, reference, reason } = said;
  if (reference !== undefined && reference !== referenceOf(message, settings)) return undefined;
  return (status ?? transactionId ?? reason.code) === undefined ? undefined : said;
}
