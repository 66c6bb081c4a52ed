/** Handles the Cloud API's webhook: verifies calls and reads their statuses, messages and template updates. */
import type { ReportedState } from '../../model/states.ts';
import { own } from '../../platform/text/own.ts';
import type { NetworkReport } from '../contract/connector.ts';
import type {
  ApprovalStatus,
  Inbound,
  InboundNews,
  NetworkNotice,
  TemplateNews,
} from '../contract/inbound.ts';
import type { PhoneIdentity, PhoneMessage, PhonePreference } from '../contract/phone-message.ts';
import { messageIdOf } from '../contract/reference.ts';
import { unreadable } from '../contract/unreadable.ts';
import { parseJson } from '../http/json.ts';
import { isSigned, sameText } from '../http/signature.ts';
import { accountNewsOf, phoneQualityOf, templateQualityOf } from './account-news.ts';
import { stateOfRefusal } from './error-codes.ts';
import { changedNames, identityOf, isChange, messageOf, preferenceOf, senderOf } from './phone-message.ts';
import type { WhatsAppSettings } from './settings.ts';
import {
  categories,
  isObject,
  type Json,
  listOf,
  objectOf,
  rawListOf,
  textOf,
} from './template-definition.ts';

const signatureHeader = 'x-hub-signature-256';

export const whatsAppInbound: Inbound<WhatsAppSettings> = {
  challenge: (query, { verifyToken }) => {
    const token = query.get('hub.verify_token');
    if (verifyToken === undefined || token === null || query.get('hub.mode') !== 'subscribe')
      return undefined;
    return sameText(token, verifyToken) ? (query.get('hub.challenge') ?? '') : undefined;
  },
  signatureHeaders: () => [signatureHeader],
  verify: ({ headers, body }, _settings, { appSecret }) => {
    const signature = headers[signatureHeader];
    if (appSecret === undefined || typeof signature !== 'string') return false;
    return isSigned(signature, appSecret, body);
  },
  read: (body, settings) => readNews(body.toString('utf8'), settings),
};

/** What one call says, part by part. */
interface Said extends InboundNews {
  reports: NetworkReport[];
  messages: PhoneMessage[];
  preferences: PhonePreference[];
  templates: TemplateNews[];
  identities: PhoneIdentity[];
  notices: NetworkNotice[];
}

/** What cannot be read is passed on as it is: nobody is to be dropped unheard. */
function readNews(body: string, settings: WhatsAppSettings): InboundNews {
  const said: Said = {
    reports: [],
    messages: [],
    preferences: [],
    templates: [],
    identities: [],
    notices: [],
  };
  const { entry: entries } = objectOf(parseJson(body));
  if (!Array.isArray(entries)) said.messages.push(unreadable('Call', 'Malformed', body));
  for (const entry of rawListOf(entries)) {
    const changes = objectOf(entry).changes;
    if (!Array.isArray(changes)) said.messages.push(unreadable('Call', 'Malformed', entry));
    for (const change of rawListOf(changes)) {
      const { field, value } = objectOf(change);
      const read = own(readers, textOf(field));
      if (!isObject(change) || (read !== undefined && !isObject(value)))
        said.messages.push(unreadable('Call', 'Malformed', change));
      else read?.(said, objectOf(value), { settings, time: objectOf(entry).time });
    }
  }
  return said;
}

interface Around {
  settings: WhatsAppSettings;
  /** Of the entry. */
  time: unknown;
}

/** By the field of a change; we ask for no others. */
const readers: Readonly<Record<string, (said: Said, value: Json, around: Around) => void>> = {
  messages: (said, { metadata, messages, statuses, contacts }, { settings }) => {
    const to = objectOf(metadata);
    const written = rawListOf(messages).filter((one) => !isChange(objectOf(one)));
    said.messages.push(...written.map((message) => messageOf(message, to)));
    for (const status of rawListOf(statuses)) {
      const report = reportOf(status, settings);
      if (report === 'unreadable' || report === 'unknown') {
        const reason = report === 'unknown' ? 'Unknown' : 'Malformed';
        const { recipient_id, recipient_user_id } = objectOf(status);
        const who = { from: textOf(recipient_id), userId: textOf(recipient_user_id) };
        said.messages.push(unreadable('Status', reason, status, { ...who, ...senderOf(to) }));
      } else said.reports.push(...report);
    }
    said.identities.push(
      ...listOf(messages).flatMap((one) =>
        identityOf(
          [one.from, one.from_user_id, one.from_parent_user_id, ...changedNames(one)],
          isChange(one),
        ),
      ),
      ...listOf(contacts).flatMap((one) => identityOf([one.wa_id, one.user_id, one.parent_user_id])),
      ...listOf(statuses).flatMap((one) =>
        identityOf([one.recipient_id, one.recipient_user_id, one.recipient_parent_user_id]),
      ),
    );
  },
  user_preferences: (said, { metadata, user_preferences }) => {
    for (const one of rawListOf(user_preferences)) {
      const preference = preferenceOf(one, objectOf(metadata));
      if ('body' in preference) said.messages.push(preference);
      else said.preferences.push({ ...preference, ...timeOf(objectOf(one).timestamp) });
    }
    said.identities.push(
      ...listOf(user_preferences).flatMap((one) => identityOf([one.wa_id, one.user_id, one.parent_user_id])),
    );
  },
  message_template_status_update: (said, value, { time }) => {
    said.templates.push(...templateNewsOf(value, time));
  },
  template_category_update: (said, value, { time }) => {
    const news = categoryNewsOf(value, time);
    said.templates.push(...news);
    if (news.length === 0) said.messages.push(unreadable('Template', 'Unknown', value));
  },
  message_template_quality_update: (said, value) => {
    said.notices.push(...templateQualityOf(value));
  },
  phone_number_quality_update: (said, value) => {
    said.notices.push(...phoneQualityOf(value));
  },
  account_update: (said, value) => {
    const { notices, pause } = accountNewsOf(value);
    said.notices.push(...notices);
    if (pause !== undefined) said.pause = pause;
  },
};

/** Statuses that change a message. */
const states: ReadonlyMap<unknown, ReportedState> = new Map([
  ['sent', 'Sent'],
  ['delivered', 'Delivered'],
  ['read', 'Read'],
  ['failed', 'Failed'],
]);

/** Statuses that clients get nothing about. */
const others: ReadonlySet<unknown> = new Set(['deleted', 'played', 'pending', 'warning']);

function reportOf(status: unknown, settings: WhatsAppSettings): NetworkReport[] | 'unreadable' | 'unknown' {
  if (!isObject(status)) return 'unreadable';
  const state = states.get(status.status);
  const networkId = textOf(status.id);
  const messageId = messageIdOf(textOf(status.biz_opaque_callback_data), settings);
  if (others.has(status.status)) return [];
  if (state === undefined) return 'unknown';
  if (networkId === undefined && messageId === undefined) return 'unreadable';
  const [error] = listOf(status.errors);
  const fault: Partial<Fault> = error === undefined ? {} : faultOf(error);
  return [
    {
      state: state === 'Failed' ? stateOfRefusal(fault.reasonCode) : state,
      ...(networkId === undefined ? {} : { networkId }),
      ...(messageId === undefined ? {} : { messageId }),
      ...timeOf(status.timestamp),
      ...fault,
      ...pricingOf(status.pricing),
    },
  ];
}

/** What Meta bills it as; its categories of bills are more than those of templates. */
function pricingOf(pricing: unknown): { details?: Record<string, string> } {
  const { billable, category, pricing_model: model } = objectOf(pricing);
  const details = {
    ...(typeof billable === 'boolean' ? { billable: String(billable) } : {}),
    ...(typeof category === 'string' ? { billedAs: category } : {}),
    ...(typeof model === 'string' ? { pricingModel: model } : {}),
  };
  return Object.keys(details).length === 0 ? {} : { details };
}

/** Seconds since 1970; nothing when they are none. */
function timeOf(timestamp: unknown): { occurredAt?: Date } {
  const seconds = Number(timestamp);
  return seconds > 0 && seconds < 1e11 ? { occurredAt: new Date(seconds * 1000) } : {};
}

interface Fault {
  reason: string;
  reasonCode?: string;
}

/** Code and words of an error, as clients may read them. */
export function faultOf(error: Json): Fault {
  const { code, title, message } = error;
  return {
    reason: textOf(title) ?? textOf(message) ?? 'The network refused the message',
    ...(typeof code === 'number' ? { reasonCode: String(code) } : {}),
  };
}

/** Events that move a template; others, such as FLAGGED, only warn. */
const approvals: ReadonlyMap<unknown, ApprovalStatus> = new Map([
  ['APPROVED', 'APPROVED'],
  ['REINSTATED', 'APPROVED'],
  ['PENDING', 'PENDING'],
  ['IN_APPEAL', 'PENDING'],
  ['REJECTED', 'REJECTED'],
  ['PAUSED', 'PAUSED'],
  ['DISABLED', 'DISABLED'],
  ['DELETED', 'DISABLED'],
  ['PENDING_DELETION', 'DISABLED'],
]);

/** `time` is that of the entry: the event itself has none. */
function templateNewsOf(value: Json, time: unknown): TemplateNews[] {
  const approvalStatus = approvals.get(value.event);
  const comment = textOf(value.reason);
  if (approvalStatus === undefined) return [];
  return templateOf(value).map((template) => ({
    ...template,
    approvalStatus,
    ...(comment === undefined || comment === 'NONE' ? {} : { comment }),
    ...timeOf(time),
  }));
}

/** The category that the template has now; `correct_category` announces another. */
function categoryNewsOf(value: Json, time: unknown): TemplateNews[] {
  const category = categories.find((one) => one === value.new_category);
  if (category === undefined) return [];
  return templateOf(value).map((template) => ({ ...template, category, ...timeOf(time) }));
}

function templateOf(value: Json): Pick<TemplateNews, 'name' | 'language'>[] {
  const name = textOf(value.message_template_name);
  const language = textOf(value.message_template_language);
  return name === undefined || language === undefined ? [] : [{ name, language }];
}
