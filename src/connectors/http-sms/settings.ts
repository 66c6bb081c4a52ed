/** The settings of an SMS provider: where it is, how it is asked, its names and codes, and how it calls us. */
import { type NetworkState, networkStatesOf } from '../../model/states.ts';
import type { SettingsSchema } from '../contract/kind.ts';
import { allowPlainHttp } from '../http/transport.ts';
import { httpUrl, referencePrefix, whole } from '../runtime/setting-rules.ts';
import { presets } from './presets.ts';

/** What a code in a response means: our words for what to do, or the state of a refused message. */
export const codeActions = ['accepted', 'again', 'throttled', 'pause'] as const;
export type CodeMeaning = (typeof codeActions)[number] | Exclude<NetworkState, 'Delivered'>;

/** What a status in a report means; `open`: nothing yet. */
export type StatusMeaning = 'open' | NetworkState;

export const authentications = ['bearer', 'basic', 'header', 'query', 'body', 'clientCredentials'] as const;
export const encodings = ['json', 'form', 'query'] as const;
/** How a call shows that it is the provider's. */
export const proofs = ['path', 'hmac', 'twilio', 'vonage', 'standardWebhooks'] as const;
/** `md5hash` hashes the secret behind the values; the others are HMACs. */
export const signatureAlgorithms = ['md5hash', 'md5', 'sha1', 'sha256', 'sha512'] as const;
export type SignatureAlgorithm = (typeof signatureAlgorithms)[number];

export interface RequestNames {
  number: string;
  sender: string;
  text: string;
  reference: string;
  callbackUrl: string;
}

export interface ResponseNames {
  list: string;
  id: string;
  code: string;
  reason: string;
  segments: string;
}

export interface ReportNames {
  list: string;
  id: string;
  reference: string;
  status: string;
  code: string;
  reason: string;
  occurredAt: string;
}

export interface MessageNames {
  list: string;
  id: string;
  from: string;
  to: string;
  text: string;
  partReference: string;
  part: string;
  parts: string;
}

/** By dotted name; what is no text is itself in JSON. */
export type Constants = Readonly<Record<string, unknown>>;

export interface HttpSmsSettings {
  preset?: string;
  baseUrl: string;
  /** Accepts an http: baseUrl of another machine. */
  allowPlainHttp: boolean;
  method: 'POST' | 'GET';
  path: string;
  testPath?: string;
  encoding: (typeof encodings)[number];
  authentication: (typeof authentications)[number];
  username?: string;
  apiKeyName: string;
  apiKeyPrefix: string;
  tokenPath: string;
  timeoutSeconds: number;
  /** Requests at once, of each process. */
  concurrency: number;
  /** Messages per second of all processes together; absent: as many as it takes. */
  rate?: number;
  referencePrefix: string;
  idempotencyHeader?: string;
  number: 'plus' | 'digits';
  constants: Constants;
  unicodeConstants: Constants;
  flashConstants: Constants;
  names: {
    request: RequestNames;
    response: ResponseNames;
    report: ReportNames;
    message: MessageNames;
  };
  responseFormat: 'json' | 'text';
  codes: Readonly<Record<string, CodeMeaning>>;
  unanswered: 'resend' | 'wait';
  callbackUrl?: string;
  callbackQuery: string;
  statuses: Readonly<Record<string, StatusMeaning>>;
  errorStates: Readonly<Record<string, NetworkState>>;
  proof: (typeof proofs)[number];
  signatureHeader: string;
  signatureAlgorithm: SignatureAlgorithm;
}

const text = (fallback?: string) => ({
  type: 'string',
  maxLength: 255,
  ...(fallback === undefined ? {} : { default: fallback }),
});
const path = { type: 'string', pattern: '^/[^\\s#]*$' };
const words = (values: readonly string[]) => ({
  type: 'object',
  default: {},
  additionalProperties: { enum: values },
});
const constants = { type: 'object', default: {} };
const names = (defaults: Readonly<Record<string, string>>) => ({
  type: 'object',
  default: {},
  additionalProperties: false,
  properties: Object.fromEntries(Object.entries(defaults).map(([name, fallback]) => [name, text(fallback)])),
});

const states = networkStatesOf('sms');

export const httpSmsSettingsSchema: SettingsSchema = {
  properties: {
    preset: { enum: Object.keys(presets) },
    baseUrl: httpUrl,
    allowPlainHttp,
    method: { enum: ['POST', 'GET'], default: 'POST' },
    path: { ...path, default: '/messages' },
    testPath: path,
    encoding: { enum: encodings, default: 'json' },
    authentication: { enum: authentications, default: 'bearer' },
    username: { type: 'string', pattern: '^[^\\s:]+$' },
    apiKeyName: { type: 'string', pattern: '^[A-Za-z0-9_.-]+$', default: 'X-Api-Key' },
    apiKeyPrefix: { type: 'string', pattern: '^[ -~]*$', default: '' },
    tokenPath: { ...path, default: '/oauth/token' },
    timeoutSeconds: whole(1, 10, 8),
    concurrency: whole(1, 64, 8),
    rate: { type: 'integer', minimum: 1, maximum: 100_000 },
    referencePrefix,
    idempotencyHeader: { type: 'string', pattern: '^[A-Za-z0-9-]+$' },
    number: { enum: ['plus', 'digits'], default: 'plus' },
    constants,
    unicodeConstants: constants,
    flashConstants: constants,
    names: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        request: names({
          number: 'to',
          sender: 'from',
          text: 'text',
          reference: 'reference',
          callbackUrl: 'callbackUrl',
        } satisfies RequestNames),
        response: names({
          list: '',
          id: 'id',
          code: 'code|error.code',
          reason: 'message|error.message',
          segments: '',
        } satisfies ResponseNames),
        report: names({
          list: '',
          id: 'id',
          reference: 'reference',
          status: 'status',
          code: 'code|error.code',
          reason: 'message|error.message',
          occurredAt: 'occurredAt',
        } satisfies ReportNames),
        message: names({
          list: '',
          id: 'id',
          from: 'from',
          to: 'to',
          text: 'text',
          partReference: '',
          part: '',
          parts: '',
        } satisfies MessageNames),
      },
    },
    responseFormat: { enum: ['json', 'text'], default: 'json' },
    codes: words([...codeActions, ...states.filter((state) => state !== 'Delivered')]),
    unanswered: { enum: ['resend', 'wait'], default: 'resend' },
    callbackUrl: httpUrl,
    callbackQuery: { type: 'string', pattern: '^[!-~]*$', default: '' },
    statuses: words(['open', ...states]),
    errorStates: words(states),
    proof: { enum: proofs, default: 'path' },
    signatureHeader: { type: 'string', pattern: '^[A-Za-z0-9-]+$', default: 'X-Signature' },
    signatureAlgorithm: { enum: signatureAlgorithms, default: 'sha256' },
  },
};
