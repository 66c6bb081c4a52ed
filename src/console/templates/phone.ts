/** Draws messages as phones show them. */

import { type Content, type Html, html } from '../../docs/render/html.ts';
import { ManagementError } from '../../platform/errors/management.ts';
import { Refused } from '../api/refused.ts';
import { asRefused, sentencesOf } from '../errors.ts';
import { icon } from '../layout/icons.ts';
import { notice, panel } from '../layout/parts.ts';

/** `sender`: what stands above the message; `under`: what it costs, or what is wrong. */
export function phone(sender: Content, messages: readonly Content[], under: Content): Html {
  return panel(
    'On the phone',
    html`<div class="phone"><p class="sender">${sender}</p>${messages.map((message) => html`<div class="bubble" dir="auto">${message}</div>`)}</div>${under}`,
  );
}

/** Instead of a message that cannot be drawn: why, where that is a fault of what was given. */
export function undrawn(sender: Content, messages: readonly Content[], error: unknown): Html {
  return phone(sender, messages, notice('bad', sentencesOf(faultOf(error)).join(' ')));
}

function faultOf(error: unknown): Refused {
  const desc =
    error instanceof ManagementError
      ? error.message
      : // What somebody types may lack any part of a template.
        error instanceof TypeError && 'a part of it has no format, type or text';
  const refused = desc ? new Refused(400, { slug: '', desc, retryAfter: undefined }) : asRefused(error);
  if (refused.status !== 400) throw error;
  return refused;
}

/** Under a message that has no text yet. */
export const unwritten = html`<p class="hint">Preview draws the message here.</p>`;

interface Header {
  format: string;
  text?: string | undefined;
  url?: string | undefined;
  filename?: string | undefined;
  name?: string | undefined;
  address?: string | undefined;
}

interface Button {
  type: string;
  text: string;
  value?: string | undefined;
}

export interface DrawnPart {
  header?: Header | undefined;
  body?: string | undefined;
  footer?: string | undefined;
  buttons: readonly Button[];
  offer?: { text: string; endsAt?: string | undefined } | undefined;
}

const media: ReadonlyMap<string, string> = new Map([
  ['IMAGE', 'Image'],
  ['VIDEO', 'Video'],
  ['DOCUMENT', 'Document'],
  ['LOCATION', 'Place'],
]);

export function chatMessage({ header, body, footer, buttons, offer }: DrawnPart): Html {
  return html`${header !== undefined && headerOf(header)}${offer !== undefined && html`<p class="offer"><b>${offer.text}</b></p>`}${
    body !== undefined && html`<p class="text">${body}</p>`
  }${footer !== undefined && html`<p class="footer">${footer}</p>`}${
    buttons.length > 0 &&
    html`<ul class="buttons">${buttons.map(({ text, value }) => html`<li>${text}${value !== undefined && html`<span class="sub">${value}</span>`}</li>`)}</ul>`
  }`;
}

function headerOf({ format, text, filename, name, address }: Header): Html {
  if (format === 'TEXT') return html`<p class="text"><b>${text}</b></p>`;
  const about = filename ?? [name, address].filter((one) => one !== undefined).join(', ');
  return html`<p class="medium">${icon('read')} ${media.get(format) ?? format}${about !== '' && html`<span class="sub">${about}</span>`}</p>`;
}
