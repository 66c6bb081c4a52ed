/** Sends one SMS as a client does, and follows it to its final state. */
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import type { components } from '../../generated/openapi.d.ts';
import { products } from '../products.ts';
import { baseOf, type Credentials } from './credentials.ts';

type Message = components['schemas']['Message'];

export interface TrialSms {
  phone: string;
  /** A text, or a template with its parameters. */
  content: { text: string } | { templateId: string; params: readonly { name: string; value: string }[] };
  /** Where its receipt goes. */
  receiptTo: string | undefined;
}

export interface TrialOutcome {
  message: Message;
  seconds: number;
}

/** Between two looks at the state: longer and longer. */
const firstPauseMs = 50;
const longestPauseMs = 1_000;

/**
 * Resolves with the final state, or with the state after `waitSeconds`. Rejects with an Error in plain words when the
 * service cannot be reached or rejects the request.
 */
export async function sendAndFollow(
  credentials: Pick<Credentials, 'url' | 'clientId' | 'clientSecret' | 'serviceId'>,
  sms: TrialSms,
  waitSeconds: number,
): Promise<TrialOutcome> {
  const url = baseOf(credentials.url);
  const startedMs = performance.now();
  const seconds = () => (performance.now() - startedMs) / 1_000;
  const headers = { authorization: `Bearer ${await tokenFrom(url, credentials)}` };
  const sent = await call(url, `/message/${credentials.serviceId}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(bodyOf(sms)),
  });
  const { requestId } = sent.result;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const { items } = await call(url, `/requests/${requestId}/messages`, { method: 'GET', headers });
    const [message] = items as Message[];
    if (message === undefined) throw new Error(`request ${requestId} has no message`);
    if (isFinal(message) || seconds() >= waitSeconds) return { message, seconds: seconds() };
    await delay(pauseMs);
  }
}

export function isFinal({ state }: Message): boolean {
  return (products.sms.finalStates as readonly string[]).includes(state);
}

function bodyOf({ phone, content, receiptTo }: TrialSms): object {
  const receipt = receiptTo === undefined ? {} : { receiptRequest: { callbackUrl: receiptTo } };
  return 'text' in content
    ? { type: 'SendToMany', addresses: [phone], message: content.text, ...receipt }
    : { type: 'TemplateSendToMany', addresses: [phone], ...content, ...receipt };
}

async function tokenFrom(
  url: string,
  { clientId, clientSecret }: Pick<Credentials, 'clientId' | 'clientSecret'>,
): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const token = await call(url, '/oauth/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  return token.access_token;
}

async function call(
  url: string,
  path: string,
  options: { method: 'GET' | 'POST'; headers: Record<string, string>; body?: string },
  // biome-ignore lint/suspicious/noExplicitAny: the document says what a response holds.
): Promise<any> {
  const response = await request(`${url}${path}`, options).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      `${url} does not respond (${error.code ?? error.message}); tarishi start starts the service`,
    );
  });
  const text = await response.body.text();
  if (response.statusCode === 200) return JSON.parse(text);
  const slug = response.headers['error-code'];
  throw new Error(
    `${response.statusCode} ${sentenceIn(text)}${slug === undefined ? '' : `\nSee ${url}/docs/errors/${slug}`}`,
  );
}

function sentenceIn(text: string): string {
  try {
    const { desc, error_description, result } = JSON.parse(text);
    return [
      desc ?? error_description ?? text,
      ...(result === undefined ? [] : [JSON.stringify(result)]),
    ].join('\n');
  } catch {
    return text;
  }
}
