/** The simulated SMS network as an HTTP provider: each preset of `http-sms` has an API of its own, read from the preset backwards. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { request } from 'undici';
import type { NetworkState, ReportedState } from '../../model/states.ts';
import { type Address, bind } from '../../platform/bind.ts';
import { systemClock } from '../../platform/clock.ts';
import { documentOf, textAt } from '../http/fields.ts';
import { parseJson } from '../http/json.ts';
import { httpSmsKind } from '../http-sms/http-sms.ts';
import { twilioSignature, vonageSignature } from '../http-sms/proof.ts';
import type { HttpSmsSettings, Names } from '../http-sms/settings.ts';
import { checkSettings } from '../runtime/settings.ts';
import type { Script, ScriptOf } from './script.ts';
import { createThrottle } from './throttle.ts';

/** Of these there is a simulation: another Tarishi is a sandbox of its own. */
export const simulatedPresets = ['africastalking', 'twilio', 'infobip', 'vonage', 'kannel'] as const;

/** An account at one of them. */
export interface ProviderAccount {
  preset: string;
  /** Undefined: its messages do not name it. */
  username: string | undefined;
}

export interface ProviderOptions {
  scriptOf: ScriptOf;
  /** Where a provider calls that is not told with each message; undefined: nowhere. */
  callbackOf: (account: ProviderAccount) => Promise<string | undefined>;
  /** Where an address that it calls is; undefined: it is not called. Absent: where it says. */
  placeOf?: (address: URL) => URL | undefined;
  logger: Logger;
}

export interface ProviderResponder {
  respond: RequestListener;
  /** Calls that are due later are not made. */
  close: () => void;
}

const bodyLimitBytes = 64 * 1024;

/** Accepts any account. The path of a request begins with the name of its preset. */
export function createProviderResponder({
  scriptOf,
  callbackOf,
  placeOf = (address) => address,
  logger,
}: ProviderOptions): ProviderResponder {
  const providers = new Map(simulatedPresets.map((preset) => [preset as string, settingsOf(preset)]));
  const isThrottled = createThrottle();
  const timers = new Set<NodeJS.Timeout>();
  const later = (seconds: number, call: () => Promise<unknown>) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      call().catch((error: unknown) =>
        logger.warn({ err: error }, 'callback of the simulated provider failed'),
      );
    }, seconds * 1000);
    timers.add(timer);
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://provider');
    const settings = providers.get(url.pathname.split('/', 2)[1] ?? '');
    const body = settings && (await textOf(request));
    if (settings === undefined || body === undefined) {
      response.writeHead(settings === undefined ? 404 : 413).end();
      return;
    }
    const submission = submissionIn(settings, url, body);
    const said =
      submission === undefined ? { status: 200, body: '{}' } : await submit(settings, submission, request);
    const type = settings.responseFormat === 'text' ? 'text/plain' : 'application/json';
    response.writeHead(said.status, { 'Content-Type': type }).end(said.body);
  };
  /** The answer; what the script says besides happens later. */
  async function submit(settings: HttpSmsSettings, submission: Submission, request: IncomingMessage) {
    const script = scriptOf(submission.phone);
    if (isThrottled(submission.phone, script.throttled ?? 0)) return { status: 429, body: '' };
    if (script.rejected !== undefined) return refusal(settings, script.rejected);
    const id = randomUUID();
    const { callbackUrl, username } = submission;
    const to = callbackUrl ?? (await callbackOf({ preset: settings.preset ?? '', username }));
    if (to !== undefined) {
      const called = { to, placeOf, token: passwordOf(request) };
      for (const { state, afterSeconds } of script.reports)
        later(afterSeconds, () => call(settings, reported(settings, { id, state, submission }), called));
      for (const { text, afterSeconds } of script.replies ?? [])
        later(afterSeconds, () => call(settings, written(settings, text, submission), called));
    }
    return acceptance(settings, id);
  }

  return {
    respond: (request, response) => {
      // A client that hangs up, or whose path is not a URL, loses only its own connection.
      answer(request, response).catch(() => response.destroy());
    },
    close: () => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

export interface SimulatedProvider {
  port: number;
  close: () => Promise<void>;
}

/** On a port of its own. `callbackUrl`: where a provider calls that is not told with each message; undefined: nowhere. */
export async function startSimulatedProvider(
  address: Address,
  { callbackUrl, ...options }: Omit<ProviderOptions, 'callbackOf'> & { callbackUrl: string | undefined },
): Promise<SimulatedProvider> {
  const { respond, close } = createProviderResponder({ ...options, callbackOf: async () => callbackUrl });
  const server = createServer(respond);
  const port = await bind(server, address);
  return {
    port,
    close: async () => {
      close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function settingsOf(preset: string): HttpSmsSettings {
  const anyUrl = 'http://127.0.0.1/';
  return checkSettings(httpSmsKind, {
    preset,
    baseUrl: anyUrl,
    username: 'any',
    callbackUrl: anyUrl,
  } as never);
}

interface Submission {
  phone: string;
  sender: string;
  reference: string;
  callbackUrl: string | undefined;
  username: string | undefined;
}

/** Undefined: it is no message. */
function submissionIn(
  { encoding, constants, names: { request } }: HttpSmsSettings,
  url: URL,
  body: string,
): Submission | undefined {
  const form = () => Object.fromEntries(encoding === 'query' ? url.searchParams : new URLSearchParams(body));
  const document = encoding === 'json' ? parseJson(body) : form();
  const number = textAt(document, request.number);
  if (number === undefined) return undefined;
  const [nameOfUsername] = Object.entries(constants).find(([, value]) => value === '{username}') ?? [];
  return {
    phone: `+${number.replace('+', '')}`,
    sender: textAt(document, request.sender) ?? '',
    reference: textAt(document, request.reference) ?? '',
    callbackUrl: textAt(document, request.callbackUrl),
    username: textAt(document, nameOfUsername ?? ''),
  };
}

/** The first of several names, in a list if there is one. */
const placed = (list: string, names: string) =>
  (list === '' ? '' : `${list}.0.`) + (names.split('|', 1)[0] ?? '');

const wordFor = <Meaning extends string>(words: Readonly<Record<string, Meaning>>, meaning: Meaning) =>
  Object.entries(words).find(([word, means]) => word !== '*' && means === meaning)?.[0];

function acceptance({ responseFormat, codes, names: { response } }: HttpSmsSettings, id: string) {
  const code = wordFor(codes, 'accepted');
  if (responseFormat === 'text') return { status: 202, body: `${code}: Accepted for delivery` };
  const values = [
    [response.id, id],
    [response.code, code],
  ].filter(([name]) => name !== '');
  const document = documentOf(values.map(([name = '', value]) => [placed(response.list, name), value]));
  return { status: 201, body: JSON.stringify(document) };
}

/** A provider that says with a code that it accepted a message answers its refusals with 200, too. */
function refusal(
  { responseFormat, codes, names: { response } }: HttpSmsSettings,
  { state, reason }: NonNullable<Script['rejected']>,
) {
  if (responseFormat === 'text') return { status: 400, body: reason };
  const meaning = state as Exclude<NetworkState, 'Delivered'>;
  const code = wordFor(codes, meaning) ?? wordFor(codes, 'Failed') ?? 'REFUSED';
  const document = documentOf([
    [placed(response.list, response.code), code],
    [placed(response.list, response.reason), reason],
  ]);
  return { status: wordFor(codes, 'accepted') === undefined ? 400 : 200, body: JSON.stringify(document) };
}

type Values = Partial<Record<keyof Names['report'] | keyof Names['message'], string>>;
interface Told {
  names: Names['report'] | Names['message'];
  values: Values;
}

function reported(
  { statuses, errorStates, names: { report } }: HttpSmsSettings,
  { id, state, submission }: { id: string; state: ReportedState; submission: Submission },
): Told {
  const known = state as NetworkState;
  const status = wordFor(statuses, known) ?? wordFor(statuses, 'Failed');
  const code = wordFor(errorStates, known);
  return {
    names: report,
    values: {
      id,
      reference: submission.reference,
      ...(status === undefined ? {} : { status }),
      ...(code === undefined ? {} : { code }),
    },
  };
}

function written({ names: { message } }: HttpSmsSettings, text: string, { phone, sender }: Submission): Told {
  return { names: message, values: { id: randomUUID(), from: phone, to: sender, text } };
}

interface Called extends Required<Pick<ProviderOptions, 'placeOf'>> {
  to: string;
  /** Signs the call, where the provider signs. */
  token: string;
}

/** Calls us as the provider does: with a query, a form or JSON. */
async function call(
  { encoding, preset, signatureAlgorithm }: HttpSmsSettings,
  { names, values }: Told,
  { to, placeOf, token }: Called,
): Promise<void> {
  // Kannel fills in what the address asks for.
  const url = new URL(to.replaceAll('%d', values.status ?? '').replaceAll('%A', ''));
  if (!('status' in values)) url.search = '';
  const body: [name: string, value: string][] = [];
  for (const [key, name] of Object.entries(names) as [keyof Values, string][]) {
    const value = values[key];
    if (value === undefined || name === '' || key === ('list' as string)) continue;
    if (!name.startsWith('?')) body.push([placed(names.list, name), value]);
    else if (!url.searchParams.has(name.slice(1))) url.searchParams.set(name.slice(1), value);
  }
  if (preset === 'vonage') {
    body.push(['timestamp', String(Math.floor(systemClock.now() / 1000))], ['nonce', randomUUID()]);
    const signed = [...url.searchParams, ...body];
    body.push(['sig', vonageSignature(signed, token, signatureAlgorithm)]);
  }
  const form = new URLSearchParams(body);
  const isForm = encoding === 'form';
  const signature =
    preset === 'twilio' ? { 'X-Twilio-Signature': twilioSignature(url.href, form, token) } : {};
  const sent =
    body.length === 0
      ? { method: 'GET' as const }
      : { method: 'POST' as const, body: isForm ? String(form) : JSON.stringify(documentOf(body)) };
  const written = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const type = body.length === 0 ? {} : { 'Content-Type': written };
  const place = placeOf(url);
  if (place === undefined) return;
  const response = await request(place, { ...sent, headers: { ...type, ...signature } });
  await response.body.dump();
  if (response.statusCode >= 300) throw new Error(`the callback got ${response.statusCode}`);
}

/** Of `Authorization: Basic`. */
function passwordOf({ headers: { authorization = '' } }: IncomingMessage): string {
  const [, encoded = ''] = /^Basic (.+)$/.exec(authorization) ?? [];
  return Buffer.from(encoded, 'base64').toString().split(':').slice(1).join(':');
}

/** Undefined: it is too long. */
async function textOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > bodyLimitBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
