/** What connectors to HTTP providers share: one pace for all messages, and what operators see of trouble. */
import type { Connector, HandOver, OutboundMessage } from '../contract/connector.ts';
import type { ConnectorContext } from '../contract/kind.ts';
import { concurrently, type Work } from '../runtime/concurrently.ts';
import { createSlowDown, type SlowDown } from '../runtime/slow-down.ts';
import {
  createProviderClient,
  type Exchanged,
  type ProviderClient,
  type ProviderRequest,
  unansweredWords,
} from './exchange.ts';

/** One provider, one pace. */
const everybody = '';
/** How often messages of a paused connector are retried. */
const pausedSeconds = 60;

export interface Provider {
  context: ConnectorContext;
  client: ProviderClient;
  /** Seconds until it may be called again; 0: now. */
  waitSeconds: () => number;
  /** Gives it a rest; returns for how many seconds. */
  slower: (atLeastSeconds?: number) => number;
  /** It responds as it should. */
  works: () => void;
}

export interface ProviderSettings {
  baseUrl: string;
  timeoutSeconds: number;
}

export function openProvider(
  { baseUrl, timeoutSeconds }: ProviderSettings,
  context: ConnectorContext,
): Provider {
  const { clock } = context;
  const pace: SlowDown = createSlowDown({ firstSeconds: 2, factor: 2, limitSeconds: 60 }, clock);
  return {
    context,
    client: createProviderClient({ baseUrl, timeoutMs: timeoutSeconds * 1000, clock }),
    waitSeconds: () => pace.wait(everybody),
    slower: (seconds) => pace.slower(everybody, seconds),
    works: () => pace.works(everybody),
  };
}

/** Operators see what went wrong. */
export async function exchange(
  { client, context: { trouble } }: Provider,
  request: ProviderRequest,
): Promise<Exchanged> {
  const exchanged = await client.exchange(request);
  if (exchanged.kind !== 'answered') trouble.failed(unansweredWords(exchanged));
  else if (exchanged.status === 429) trouble.throttled();
  else if (exchanged.status >= 500 || exchanged.status === 408)
    trouble.failed(`the provider responded ${exchanged.status}`);
  return exchanged;
}

/** Not now, and nothing else either. */
export function later(provider: Provider, seconds?: number): Extract<HandOver, { kind: 'later' }> {
  return { kind: 'later', delaySeconds: provider.slower(seconds) };
}

/** Until an operator resumes it. */
export async function paused(provider: Provider, reason: string): Promise<HandOver> {
  // The rest of the batch would only get the same response.
  provider.slower();
  await provider.context.pause(reason);
  return { kind: 'later', delaySeconds: pausedSeconds };
}

/** Submits messages one by one, several at once. */
export function eachMessage({
  concurrency,
  work,
  failed,
  turn,
}: Pick<Work<OutboundMessage, HandOver>, 'concurrency' | 'work' | 'failed' | 'turn'>): Connector['send'] {
  return (messages, leftMs, lookAgain) =>
    concurrently<OutboundMessage, HandOver>(messages, {
      concurrency,
      leftMs,
      turn,
      ...(lookAgain === undefined ? {} : { lookAgain: ({ id }) => lookAgain(id) }),
      work,
      late: () => ({ kind: 'later', delaySeconds: 1 }),
      failed,
    });
}
