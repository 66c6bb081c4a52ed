/** The Cloud API's webhook: whether a call is the network's, and what its statuses and template news report. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ReportedState } from '../../receipts/states.ts';
import type { NetworkReport } from '../connector.ts';
import type { ApprovalStatus, Inbound, InboundNews, TemplateNews } from '../inbound.ts';
import { parseJson } from '../json.ts';
import { messageIdOf } from '../reference.ts';
import { isSigned } from '../signature.ts';
import type { WhatsAppSettings } from './settings.ts';

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

/** Digests of equal length, so that the time tells nothing of either text. */
function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** Anything: what a network sends is looked at, never trusted to have a shape. */
type Json = Readonly<Record<string, unknown>>;

const objectOf = (value: unknown): Json =>
  value !== null && typeof value === 'object' ? (value as Json) : {};
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(objectOf) : []);
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

function readNews(document: unknown, settings: WhatsAppSettings): InboundNews {
  const changes = listOf(objectOf(document).entry).flatMap(({ changes }) => listOf(changes));
  const valuesOf = (field: string) =>
    changes.filter((change) => change.field === field).map(({ value }) => objectOf(value));
  return {
    reports: valuesOf('messages').flatMap(({ statuses }) =>
      listOf(statuses).flatMap((status) => reportOf(status, settings)),
    ),
    templates: valuesOf('message_template_status_update').flatMap(templateNewsOf),
  };
}

/** Statuses that move a message; of all others, such as `deleted`, clients hear nothing. */
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
  const seconds = Number(status.timestamp);
  const [error] = listOf(status.errors);
  return [
    {
      state,
      ...(networkId === undefined ? {} : { networkId }),
      ...(messageId === undefined ? {} : { messageId }),
      ...(seconds > 0 && seconds < 1e11 ? { occurredAt: new Date(seconds * 1000) } : {}),
      ...(error === undefined ? {} : faultOf(error)),
    },
  ];
}

/** Code and words of an error, as clients may read them. */
export function faultOf(error: Json): { reason: string; reasonCode?: string } {
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

function templateNewsOf(value: Json): TemplateNews[] {
  const approvalStatus = approvals.get(value.event);
  const name = textOf(value.message_template_name);
  const language = textOf(value.message_template_language);
  if (approvalStatus === undefined || name === undefined || language === undefined) return [];
  const comment = textOf(value.reason);
  return [
    { name, language, approvalStatus, ...(comment === undefined || comment === 'NONE' ? {} : { comment }) },
  ];
}
