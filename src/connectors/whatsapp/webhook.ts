/** Handles the Cloud API's webhook: verifies calls and reads their statuses, messages and template updates. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ReportedState } from '../../model/states.ts';
import type { NetworkReport } from '../contract/connector.ts';
import type { ApprovalStatus, Inbound, InboundNews, TemplateNews } from '../contract/inbound.ts';
import { messageIdOf } from '../contract/reference.ts';
import { parseJson } from '../http/json.ts';
import { isSigned } from '../http/signature.ts';
import { stateOfRefusal } from './error-codes.ts';
import { messageOf, preferenceOf } from './phone-message.ts';
import type { WhatsAppSettings } from './settings.ts';
import { categories, type Json, listOf, objectOf, textOf } from './template-definition.ts';

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
  read: (body, settings) => readNews(parseJson(body.toString('utf8')), settings),
};

/** Digests of equal length, so that the comparison takes constant time. */
function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

function readNews(document: unknown, settings: WhatsAppSettings): InboundNews {
  const entries = listOf(objectOf(document).entry);
  const valuesOf = ({ changes }: Json, field: string) =>
    listOf(changes).flatMap((change) => (change.field === field ? [objectOf(change.value)] : []));
  const values = entries.flatMap((entry) => valuesOf(entry, 'messages'));
  return {
    messages: values.flatMap(({ metadata, messages }) =>
      listOf(messages).flatMap((message) => messageOf(message, objectOf(metadata))),
    ),
    reports: values.flatMap(({ statuses }) =>
      listOf(statuses).flatMap((status) => reportOf(status, settings)),
    ),
    preferences: entries
      .flatMap((entry) => valuesOf(entry, 'user_preferences'))
      .flatMap(({ metadata, user_preferences }) =>
        listOf(user_preferences).flatMap((one) =>
          preferenceOf(one, objectOf(metadata)).map((preference) => ({
            ...preference,
            ...timeOf(one.timestamp),
          })),
        ),
      ),
    templates: entries.flatMap((entry) => [
      ...valuesOf(entry, 'message_template_status_update').flatMap((value) =>
        templateNewsOf(value, entry.time),
      ),
      ...valuesOf(entry, 'template_category_update').flatMap((value) => categoryNewsOf(value, entry.time)),
    ]),
  };
}

/** Statuses that change a message; clients get nothing about others, such as `deleted`. */
const states: ReadonlyMap<unknown, ReportedState> = new Map([
  ['sent', 'Sent'],
  ['delivered', 'Delivered'],
  ['read', 'Read'],
  ['failed', 'Failed'],
]);

function reportOf(status: Json, settings: WhatsAppSettings): NetworkReport[] {
  const state = states.get(status.status);
  const networkId = textOf(status.id);
  const messageId = messageIdOf(textOf(status.biz_opaque_callback_data), settings);
  if (state === undefined || (networkId === undefined && messageId === undefined)) return [];
  const [error] = listOf(status.errors);
  const fault: Partial<Fault> = error === undefined ? {} : faultOf(error);
  return [
    {
      state: state === 'Failed' ? stateOfRefusal(fault.reasonCode) : state,
      ...(networkId === undefined ? {} : { networkId }),
      ...(messageId === undefined ? {} : { messageId }),
      ...timeOf(status.timestamp),
      ...fault,
    },
  ];
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
