/** Sends SMS through a provider that takes one message per HTTP request, as its settings describe. */
import { connectorSettings } from '../../../generated/connector-settings.ts';
import type { NetworkState } from '../../model/states.ts';
import { ownReasons } from '../../model/words/told.ts';
import { ItemFault, orItemFault } from '../../platform/isolation/fault.ts';
import { segmentsOf } from '../../platform/text/segments.ts';
import type { Connector, HandOver, OutboundMessage } from '../contract/connector.ts';
import type { ConnectorContext, ConnectorKind } from '../contract/kind.ts';
import { accountOf, createLimit } from '../http/limit.ts';
import { eachMessage, exchange, later, openProvider, type Provider, paused } from '../http/provider.ts';
import { plainHttpFault, plainHttpWarning } from '../http/transport.ts';
import { createRetries, type Retries } from '../runtime/retries.ts';
import { httpSmsInbound } from './callback.ts';
import { createIssuer, type Issuer } from './credentials.ts';
import { presets } from './presets.ts';
import { requestOf } from './request.ts';
import { type Answered, type Verdict, verdictsOf } from './response.ts';
import type { HttpSmsSettings } from './settings.ts';
import { testAccount } from './test-account.ts';

export const httpSmsKind: ConnectorKind<HttpSmsSettings> = {
  documented: connectorSettings['http-sms'],
  presets,
  address: ({ baseUrl }) => new URL(baseUrl).origin,
  fault: (settings) => {
    const { baseUrl, username, authentication, proof, callbackUrl } = settings;
    if (baseUrl === undefined) return 'setting "baseUrl" is required';
    if (username === undefined && needsUsername(settings)) return 'setting "username" is required';
    if (proof === 'twilio' && callbackUrl === undefined)
      return 'setting "callbackUrl" is required: it is part of what Twilio signs';
    if (authentication === 'body' && settings.encoding === 'query')
      return 'setting "authentication" must be query where the encoding is';
    return plainHttpFault(settings);
  },
  warning: plainHttpWarning,
  account: ({ rate }) => accountOf(rate),
  // The provider splits the text.
  split: (text) => ({ encoding: segmentsOf(text).encoding, parts: 1 }),
  inbound: httpSmsInbound,
  test: testAccount,
  open: (settings, { apiKey, callbackSecret }, context) => {
    if (apiKey === undefined) throw new Error('the secret "apiKey" is missing');
    return openHttpSms(settings, { apiKey, callbackSecret }, context);
  },
};

const needsUsername = ({ authentication, path, constants }: HttpSmsSettings) =>
  authentication === 'basic' ||
  authentication === 'clientCredentials' ||
  [path, ...Object.values(constants)].some((value) => String(value).includes('{username}'));

interface SmsProvider extends Provider {
  settings: HttpSmsSettings;
  issuer: Issuer;
  callbackSecret: string | undefined;
  retries: Retries;
}

function openHttpSms(
  settings: HttpSmsSettings,
  { apiKey, callbackSecret }: { apiKey: string; callbackSecret: string | undefined },
  context: ConnectorContext,
): Connector {
  const { clock, logger } = context;
  const opened = openProvider(settings, context);
  const issuer = createIssuer(settings, apiKey, {
    exchange: (request) => exchange(opened, request),
    clock,
  });
  const provider: SmsProvider = {
    ...opened,
    settings,
    issuer,
    callbackSecret,
    retries: createRetries(clock),
  };
  const limit = settings.rate === undefined ? undefined : createLimit(settings.concurrency, clock);
  return {
    ...(limit === undefined ? {} : { use: limit.use, state: limit.state }),
    send: eachMessage({
      concurrency: settings.concurrency,
      turn: limit?.turn,
      work: (message) => submit(provider, message),
      failed: (error) => {
        if (error instanceof ItemFault) return { kind: 'faulty', reason: error.message };
        logger.warn({ err: error }, 'submission failed; it is retried');
        return { kind: 'later', delaySeconds: 1, unanswered: true };
      },
    }),
    close: provider.client.close,
  };
}

async function submit(provider: SmsProvider, message: OutboundMessage): Promise<HandOver> {
  const { settings, issuer, callbackSecret } = provider;
  const wait = provider.waitSeconds();
  if (wait > 0) return { kind: 'later', delaySeconds: wait };
  const credentials = await issuer.credentials();
  if ('kind' in credentials) {
    if (credentials.kind !== 'answered' || credentials.status === 429 || credentials.status >= 500)
      return later(provider, credentials.kind === 'answered' ? credentials.retryAfterSeconds : undefined);
    return paused(provider, `The provider answers ${credentials.status} when asked for a token`);
  }
  const request = orItemFault('the request to the provider cannot be written', () =>
    requestOf(message, settings, credentials, callbackSecret),
  );
  const exchanged = await exchange(provider, request);
  if (exchanged.kind === 'unsent') return later(provider);
  if (exchanged.kind === 'unanswered') return inDoubt(provider, message);
  // A token may end before its time.
  if (exchanged.status === 401 && issuer.forget()) return { kind: 'later', delaySeconds: 1 };
  return ofAnswer(provider, message, exchanged);
}

/** With several parts the message is with the provider as soon as one of them is. */
function ofAnswer(
  provider: SmsProvider,
  message: OutboundMessage,
  answered: Answered,
): Promise<HandOver> | HandOver {
  const verdicts = verdictsOf(answered, provider.settings);
  const taken = verdicts.flatMap((verdict) => (verdict.kind === 'accepted' ? [verdict] : []));
  const [first] = taken;
  if (first === undefined) return ofVerdict(provider, message, verdicts[0], answered);
  provider.works();
  const { length: parts } = verdicts;
  const segments = parts > 1 ? parts : first.segments;
  const counted = segments === undefined ? {} : { segments };
  if (parts === 1)
    return { kind: 'accepted', ...counted, ...(first.id === undefined ? {} : { networkId: first.id }) };
  const other = verdicts.find(({ kind }) => kind !== 'accepted');
  const partIds = taken.flatMap(({ id }) => id ?? []);
  return {
    kind: 'accepted',
    ...counted,
    partIds,
    ...(other === undefined ? {} : { reports: [other.kind === 'refused' ? other.state : 'Failed'] }),
  };
}

const outcomes: {
  [K in Exclude<Verdict['kind'], 'accepted'>]: (
    provider: SmsProvider,
    message: OutboundMessage,
    verdict: Extract<Verdict, { kind: K }>,
    answered: Answered,
  ) => Promise<HandOver> | HandOver;
} = {
  refused: (provider, _message, { state, reason, code }) => {
    provider.works();
    return rejected(state, reason, code);
  },
  again: ({ context, retries }, { id }, { code }) => {
    context.trouble.failed(`the provider says ${code}`);
    const delaySeconds = retries.delaySeconds(id);
    return delaySeconds === undefined
      ? rejected('Failed', ownReasons.tooOften, code)
      : { kind: 'later', delaySeconds };
  },
  throttled: (provider, _message, _verdict, { retryAfterSeconds }) => {
    provider.context.trouble.throttled();
    return later(provider, retryAfterSeconds);
  },
  pause: (provider, _message, { reason }) => paused(provider, reason),
  away: (provider, _message, _verdict, { retryAfterSeconds }) => ({
    ...later(provider, retryAfterSeconds),
    unanswered: true,
  }),
  doubt: (provider, message) => inDoubt(provider, message),
};

function ofVerdict<K extends Exclude<Verdict['kind'], 'accepted'>>(
  provider: SmsProvider,
  message: OutboundMessage,
  verdict: Verdict,
  answered: Answered,
) {
  const outcome = outcomes[verdict.kind as K];
  return outcome(provider, message, verdict as Extract<Verdict, { kind: K }>, answered);
}

const rejected = (state: NetworkState, reason: string, reasonCode: string): HandOver => ({
  kind: 'rejected',
  state,
  reason,
  reasonCode,
});

/** After the last try the provider counts as having it: a report, or its absence, ends the message. */
function inDoubt({ settings, retries }: SmsProvider, { id }: OutboundMessage): HandOver {
  if (settings.unanswered === 'wait') return { kind: 'accepted' };
  const delaySeconds = retries.delaySeconds(id);
  return delaySeconds === undefined
    ? { kind: 'accepted' }
    : { kind: 'later', delaySeconds, unanswered: true };
}
