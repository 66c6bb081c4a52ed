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
    ...(encoding === 'form' ? { form: new URLSearchParams(values) } : {}),
  };
}

type Value = [name: string, value: string];

function valuesOf(
  message: OutboundMessage,
  settings: HttpSmsSettings,
  reference: string,
  callbackSecret: string | undefined,
): Value[] {
  const { constants, unicodeConstants, number, names, username = '' } = settings;
  const { phone, sender, content, registrations } = message;
  const isUnicode = segmentsOf(content).encoding === 'UCS-2';
  const all: [name: string, value: string | undefined][] = [
    ...Object.entries({ ...constants, ...(isUnicode ? unicodeConstants : {}) }).map(
      ([name, value]): [string, string | undefined] => [
        name,
        withRegistrations(filled(value, { username, reference }), registrations),
      ],
    ),
    [names.request.number, number === 'plus' ? phone : phone.replace('+', '')],
    [names.request.sender, sender ?? undefined],
    [names.request.text, content],
    [names.request.reference, reference],
    [names.request.callbackUrl, callbackAddress(settings, callbackSecret, reference)],
  ];
  return all.filter((value): value is Value => value[0] !== '' && value[1] !== undefined);
}

/** Where the provider calls us about the message. */
export function callbackAddress(
  { callbackUrl, callbackQuery, proof }: HttpSmsSettings,
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
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams([...values])}`;
}
