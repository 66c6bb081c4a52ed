/** Writes the request that submits a message to an SMS provider. */
import { segmentsOf } from '../../platform/text/segments.ts';
import type { OutboundMessage } from '../contract/connector.ts';
import { filled, withRegistrations } from '../contract/placeholders.ts';
import { referenceOf } from '../contract/reference.ts';
import type { ProviderRequest } from '../http/exchange.ts';
import { documentOf } from '../http/fields.ts';
import type { Credentials } from './credentials.ts';
import type { HttpSmsSettings } from './settings.ts';

/** The same for the same message, as long as the settings are the same. */
export function requestOf(
  message: OutboundMessage,
  settings: HttpSmsSettings,
  { headers, query, fields }: Credentials,
  callbackSecret: string | undefined,
): ProviderRequest {
  const { method, path, encoding, idempotencyHeader, username = '' } = settings;
  const reference = referenceOf(message, settings);
  const values = [...fields, ...valuesOf(message, settings, reference, callbackSecret)];
  const inUrl = [...query, ...(encoding === 'query' ? values : [])];
  return {
    method,
    path: withQuery(filled(path, { username: encodeURIComponent(username) }), inUrl),
    headers: {
      ...headers,
      ...(idempotencyHeader === undefined ? {} : { [idempotencyHeader]: reference }),
      ...(encoding === 'json' ? {} : { Accept: 'application/json, text/plain' }),
    },
    ...(encoding === 'json' ? { body: documentOf(values) } : {}),
    ...(encoding === 'form' ? { form: searchOf(values) } : {}),
  };
}

type Value = [name: string, value: unknown];

function valuesOf(
  message: OutboundMessage,
  settings: HttpSmsSettings,
  reference: string,
  callbackSecret: string | undefined,
): Value[] {
  const { constants, unicodeConstants, flashConstants, number, names, username = '' } = settings;
  const { phone, sender, content, registrations, messageClass } = message;
  const isUnicode = segmentsOf(content).encoding === 'UCS-2';
  const asked = {
    ...constants,
    ...(isUnicode ? unicodeConstants : {}),
    ...(messageClass === 0 ? flashConstants : {}),
  };
  const filledIn = (written: unknown) =>
    typeof written === 'string'
      ? withRegistrations(filled(written, { username, reference }), registrations)
      : written;
  const all: Value[] = [
    ...Object.entries(asked).map(([name, written]): Value => [name, filledIn(written)]),
    [names.request.number, number === 'plus' ? phone : phone.replace('+', '')],
    [names.request.sender, sender ?? undefined],
    [names.request.text, content],
    [names.request.reference, reference],
    [names.request.callbackUrl, callbackAddress(settings, callbackSecret, reference)],
  ];
  return all.filter(([name, value]) => name !== '' && value !== undefined);
}

/** Where the provider calls us about the message. */
export function callbackAddress(
  { callbackUrl, callbackQuery, proof }: Pick<HttpSmsSettings, 'callbackUrl' | 'callbackQuery' | 'proof'>,
  callbackSecret: string | undefined,
  reference: string,
): string | undefined {
  if (callbackUrl === undefined || (proof === 'path' && callbackSecret === undefined)) return undefined;
  const address =
    proof === 'path' ? `${callbackUrl}/${encodeURIComponent(callbackSecret ?? '')}` : callbackUrl;
  if (callbackQuery === '') return address;
  return `${address}?${filled(callbackQuery, { reference: encodeURIComponent(reference) })}`;
}

export function withQuery(path: string, values: readonly Value[]): string {
  if (values.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${searchOf(values)}`;
}

function searchOf(values: readonly Value[]): URLSearchParams {
  return new URLSearchParams(values.map(([name, value]): [string, string] => [name, String(value)]));
}
