/** The structure of a stored chat-app template. */
import type { Category } from '../../../model/plan.ts';
import type { TemplateStatus } from '../../templates/template.ts';

/** Networks set PAUSED and DISABLED, for templates that users complained about. */
export type ChatAppApprovalStatus = 'PENDING' | 'APPROVED' | 'REJECTED' | 'PAUSED' | 'DISABLED';

export type MediaFormat = 'IMAGE' | 'VIDEO' | 'DOCUMENT';

export type Header = { format: 'TEXT'; text: string } | { format: MediaFormat | 'LOCATION' };

export interface Button {
  type: 'URL' | 'QUICK_REPLY' | 'COPY_CODE' | 'OTP' | 'PHONE_NUMBER';
  text: string;
  /** Of a URL button; may end in a placeholder. */
  url?: string;
}

export interface Card {
  header: { format: 'IMAGE' | 'VIDEO' };
  body?: { text: string };
  buttons: readonly Button[];
}

/** What parameters fill: a template, or one card of its carousel. */
export interface Part {
  category: Category;
  /** How the placeholders of header and body are written: `{{name}}` or `{{1}}`. */
  parameterFormat: 'NAMED' | 'POSITIONAL';
  header?: Header;
  body?: { text: string };
  buttons: readonly Button[];
  /** With an expiration each message says when the offer ends. */
  limitedTimeOffer?: { text: string; hasExpiration: boolean };
  carousel?: { cards: readonly Card[] };
}

export interface ChatAppTemplate extends Part {
  id: string;
  /** As the network knows it, together with the language. */
  name: string;
  language: string;
  status: TemplateStatus;
  approvalStatus: ChatAppApprovalStatus;
  body: { text: string };
  footer?: { text: string };
}

/** A card as parameters see it: its medium is the value of the card's own parameter. */
export function cardPart(template: Part, { body, buttons }: Card): Part {
  const { category, parameterFormat } = template;
  return { category, parameterFormat, buttons, ...(body === undefined ? {} : { body }) };
}
