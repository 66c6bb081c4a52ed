/** Reads what an SMS provider tells us: reports, and messages of phones, as JSON, as a form or in the query. */
import { own } from '../../platform/text/own.ts';
import type { NetworkReport } from '../contract/connector.ts';
import type { Inbound } from '../contract/inbound.ts';
import type { PhoneMessage, PhonePart } from '../contract/phone-message.ts';
import { messageIdOf } from '../contract/reference.ts';
import { hashOf, unreadable } from '../contract/unreadable.ts';
import { firstAt, valueAt } from '../http/fields.ts';
import { formOrJson } from '../http/json.ts';
import { admits, isProvidersOwn, signatureHeaders } from './proof.ts';
import type { HttpSmsSettings, Names } from './settings.ts';

export const httpSmsInbound: Inbound<HttpSmsSettings> = {
  takesGet: true,
  signatureHeaders,
  admits,
  verify: isProvidersOwn,
  read: (body, settings, query = '') => {
    const text = body.toString('utf8');
    const document = formOrJson(text === '' ? query : text);
    const inQuery = Object.fromEntries(new URLSearchParams(query));
    const reports: NetworkReport[] = [];
    const messages: PhoneMessage[] = [];
    for (const item of itemsOf(document, settings)) {
      const said = textIn(item, inQuery);
      const report = reportOf(said, settings);
      const message = report === undefined ? messageOf(said, settings) : undefined;
      if (report !== undefined && 'body' in report) messages.push(report);
      else if (report !== undefined) reports.push(...(report.state === undefined ? [] : [report.state]));
      else messages.push(message ?? unreadable('Call', 'Malformed', text === '' ? query : text));
    }
    return { reports, messages };
  },
};

function itemsOf(document: unknown, { names: { report, message } }: HttpSmsSettings): unknown[] {
  if (Array.isArray(document)) return document;
  for (const { list } of [report, message]) {
    const items = list === '' ? undefined : valueAt(document, list);
    if (Array.isArray(items)) return items;
  }
  return [document];
}

/** Finds what is at a name, or at the first of several; with a question mark before it a name is one of the query. */
type Said = (names: string) => string | undefined;

const textIn =
  (item: unknown, query: Readonly<Record<string, string>>): Said =>
  (names) => {
    for (const name of names.split('|')) {
      const text = name.startsWith('?') ? own(query, name.slice(1)) : firstAt(item, name);
      if (text !== undefined && text !== '') return text;
    }
    return undefined;
  };

/** Undefined if it is not a report; without a state, the provider has not finished with the message. */
function reportOf(
  said: Said,
  settings: HttpSmsSettings,
): { state?: NetworkReport } | PhoneMessage | undefined {
  const names = settings.names.report;
  const status = said(names.status);
  if (status === undefined) return undefined;
  const networkId = said(names.id);
  const messageId = messageIdOf(said(names.reference), settings);
  const meaning = own(settings.statuses, status) ?? own(settings.statuses, '*');
  if (meaning === 'open') return {};
  if (meaning === undefined || (networkId === undefined && messageId === undefined))
    return unreadable('Status', meaning === undefined ? 'Unknown' : 'Malformed', [
      status,
      networkId,
      messageId,
    ]);
  const at = new Date(said(names.occurredAt) ?? Number.NaN);
  const ids = {
    ...(networkId === undefined ? {} : { networkId }),
    ...(messageId === undefined ? {} : { messageId }),
    ...(Number.isNaN(at.getTime()) ? {} : { occurredAt: at }),
  };
  if (meaning === 'Delivered') return { state: { ...ids, state: meaning } };
  const code = said(names.code);
  return {
    state: {
      ...ids,
      state: own(settings.errorStates, code) ?? meaning,
      reason: said(names.reason) ?? `The provider says ${status}`,
      ...(code === undefined || code === '0' ? {} : { reasonCode: code }),
    },
  };
}

/** Providers without ids repeat a message for as long. */
const repeatedWithinSeconds = 300;

function messageOf(said: Said, settings: HttpSmsSettings): PhoneMessage | undefined {
  const names = settings.names.message;
  const [from, to, text] = [said(names.from), said(names.to), said(names.text) ?? ''];
  if (from === undefined || to === undefined) return undefined;
  const id = said(names.id);
  const part = partOf(said, names, text);
  return {
    from,
    to,
    identity: id ?? hashOf([from, to, text]),
    repeatedWithinSeconds: id === undefined ? repeatedWithinSeconds : null,
    body: part === undefined ? { content: { kind: text === '' ? 'other' : 'text', text } } : { part },
  };
}

function partOf(said: Said, names: Names['message'], text: string): PhonePart | undefined {
  const [reference, number, total] = [
    said(names.partReference),
    Number(said(names.part)),
    Number(said(names.parts)),
  ];
  const isPart = Number.isInteger(number) && Number.isInteger(total) && total > 1 && total <= 255;
  if (reference === undefined || !isPart || number < 1 || number > total) return undefined;
  return { reference, number, total, coding: 'utf16', octets: Buffer.from(text, 'utf16le').swap16() };
}
