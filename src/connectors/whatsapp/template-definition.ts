/** Translates a message template of the Cloud API into the definition of a template of ours. */

import { own } from '../../platform/text/own.ts';
import type { Definition } from '../../products/chatapp/templates/definition.ts';
import type { Button, Card, Header } from '../../products/chatapp/templates/template.ts';
import type { AccountTemplate } from '../contract/account-template.ts';
import type { ApprovalStatus } from '../contract/inbound.ts';
import { cleanReason } from '../contract/network-text.ts';

/** Of unknown shape: a network may send anything. */
export type Json = Readonly<Record<string, unknown>>;

export const objectOf = (value: unknown): Json =>
  value !== null && typeof value === 'object' ? (value as Json) : {};
export const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
/** As it came: what is in it may be no object. */
export const rawListOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(objectOf) : []);
export const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** Statuses of templates; one that is not here has not been decided yet. */
const statuses: ReadonlyMap<unknown, ApprovalStatus> = new Map([
  ['APPROVED', 'APPROVED'],
  ['REJECTED', 'REJECTED'],
  ['PAUSED', 'PAUSED'],
  ['DISABLED', 'DISABLED'],
  ['PENDING_DELETION', 'DISABLED'],
  ['DELETED', 'DISABLED'],
]);

export const categories = ['AUTHENTICATION', 'MARKETING', 'UTILITY'] as const;

/** The definition cannot be expressed here; the message says what is in the way. */
class Unsupported extends Error {}

/** None if it has no name or no language. */
export function accountTemplateOf(template: Json): AccountTemplate[] {
  const name = textOf(template.name);
  const language = textOf(template.language);
  if (name === undefined || language === undefined) return [];
  const comment = textOf(template.rejected_reason);
  return [
    {
      name,
      language,
      approvalStatus: statuses.get(template.status) ?? 'PENDING',
      ...(comment === undefined || comment === 'NONE' ? {} : { comment: cleanReason(comment) }),
      content: contentOf(template),
    },
  ];
}

function contentOf(template: Json): AccountTemplate['content'] {
  try {
    return { definition: definitionOf(template) };
  } catch (error) {
    if (error instanceof Unsupported) return { problem: error.message };
    throw error;
  }
}

type Component = { type: string; component: Json };

function componentsOf(components: unknown): Component[] {
  return listOf(components).map((component) => ({ type: String(component.type).toUpperCase(), component }));
}

/** Throws an Unsupported for what no template of ours can have. */
function definitionOf(template: Json): Definition {
  const category = categories.find((one) => one === template.category);
  if (category === undefined) throw new Unsupported(`category ${String(template.category)} is not supported`);
  const parts: Partial<Record<keyof Definition, unknown>> = {};
  for (const { type, component } of componentsOf(template.components)) {
    const read = own(readers, type);
    if (read === undefined) throw new Unsupported(`component ${type} is not supported`);
    Object.assign(parts, read(component));
  }
  if (parts.body === undefined) throw new Unsupported('it has no body');
  return { buttons: [], ...parts, category } as Definition;
}

const readers: Readonly<Record<string, (component: Json) => Partial<Definition>>> = {
  HEADER: (component) => ({ header: headerOf(component) }),
  BODY: ({ text }) => ({ body: { text: textOf(text) ?? '' } }),
  FOOTER: ({ text }) => ({ footer: { text: textOf(text) ?? '' } }),
  BUTTONS: ({ buttons }) => ({ buttons: listOf(buttons).map(buttonOf) }),
  LIMITED_TIME_OFFER: ({ limited_time_offer: offer }) => {
    const { text, has_expiration: hasExpiration } = objectOf(offer);
    return { limitedTimeOffer: { text: textOf(text) ?? '', hasExpiration: hasExpiration === true } };
  },
  CAROUSEL: ({ cards }) => ({ carousel: { cards: listOf(cards).map(cardOf) } }),
};

const mediaFormats = ['IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION'] as const;

function headerOf({ format, text }: Json): Header {
  if (format === 'TEXT') return { format, text: textOf(text) ?? '' };
  const media = mediaFormats.find((one) => one === format);
  if (media === undefined) throw new Unsupported(`a header of format ${String(format)} is not supported`);
  return { format: media };
}

/** The buttons for one-time codes are shown as links. */
const codeLink = 'https://www.whatsapp.com/otp/code/';

function buttonOf({ type, text, url }: Json): Button {
  const label = textOf(text) ?? '';
  const link = textOf(url);
  if (type === 'OTP' || (type === 'URL' && link?.startsWith(codeLink)))
    return { type: 'OTP', text: label || 'Copy code' };
  if (type === 'URL') return { type, text: label, url: link ?? '' };
  if (type === 'COPY_CODE') return { type, text: label || 'Copy code' };
  if (type === 'QUICK_REPLY' || type === 'PHONE_NUMBER') return { type, text: label };
  throw new Unsupported(`a button of type ${String(type)} is not supported`);
}

function cardOf(card: Json): Card {
  const components = componentsOf(card.components);
  const one = (wanted: string) => components.find(({ type }) => type === wanted)?.component;
  const header = headerOf(one('HEADER') ?? {});
  if (header.format !== 'IMAGE' && header.format !== 'VIDEO')
    throw new Unsupported(`a card with a header of format ${header.format} is not supported`);
  const body = textOf(one('BODY')?.text);
  return {
    header: { format: header.format },
    ...(body === undefined ? {} : { body: { text: body } }),
    buttons: listOf(one('BUTTONS')?.buttons).map(buttonOf),
  };
}
