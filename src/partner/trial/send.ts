/** Sends one SMS with the TypeScript client, and follows it to its final state. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  type components,
  type SmsRequest,
  Tarishi,
  TarishiConnectionError,
  TarishiError,
} from '../../../clients/typescript/src/client.ts';
import { products } from '../../model/products.ts';
import type { Credentials } from './credentials.ts';

type Message = components['schemas']['Message'];

/** Between two looks at the state: longer and longer. */
const firstPauseMs = 50;
const longestPauseMs = 1_000;

/**
 * Resolves with the final state, or with the state after `waitSeconds`. Rejects with an Error in plain words when the
 * service cannot be reached or rejects the request.
 */
export async function sendAndFollow(
  { url, clientId, clientSecret }: Pick<Credentials, 'url' | 'clientId' | 'clientSecret'>,
  sms: SmsRequest,
  waitSeconds: number,
): Promise<{ message: Message; seconds: number }> {
  // At the terminal, an error at once is better than a wait for retries.
  const tarishi = new Tarishi({ baseUrl: url, clientId, clientSecret, retries: 0 });
  const startedMs = performance.now();
  const seconds = () => (performance.now() - startedMs) / 1_000;
  try {
    const { requestId } = await tarishi.sms.send(sms);
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const [message] = (await tarishi.requests.listMessages(requestId)).items;
      if (message === undefined) throw new Error(`request ${requestId} has no message`);
      if (isFinal(message) || seconds() >= waitSeconds) return { message, seconds: seconds() };
      await delay(pauseMs);
    }
  } catch (error) {
    throw error instanceof TarishiError ? new Error(wordsOf(error, url), { cause: error }) : error;
  }
}

export function isFinal({ state }: Message): boolean {
  return (products.sms.finalStates as readonly string[]).includes(state);
}

function wordsOf(error: TarishiError, url: string): string {
  const { status, desc, result, helpUrl } = error;
  if (error instanceof TarishiConnectionError)
    return `${url} does not respond: is the service running? ${desc}`;
  return [
    `${status} ${desc}`,
    ...(result === undefined ? [] : [JSON.stringify(result)]),
    ...(helpUrl === undefined ? [] : [`See ${helpUrl}`]),
  ].join('\n');
}
