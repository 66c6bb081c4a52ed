/** HTML in tagged templates that escape whatever is not HTML already, and small pieces that pages are made of. */

import { own } from '../../platform/text/own.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => own(entities, character) ?? character);
}

/** `target` as seen from the page at `path`; both from the root of the service. */
export function relativeLink(path: string, target: string): string {
  return `${'../'.repeat(path.split('/').length - 2)}${target.slice(1)}`;
}

/** Text that browsers may read as HTML: only `html` makes it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Undefined, null and false are nothing, and lists are joined. */
export type Content = Html | string | number | false | null | undefined | readonly Content[];

export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(
    parts.reduce((all, part, place) => `${all}${place === 0 ? '' : written(values[place - 1])}${part}`, ''),
  );
}

function written(content: Content): string {
  if (content instanceof Html) return content.text;
  if (content === undefined || content === null || content === false) return '';
  if (typeof content === 'object') return content.map(written).join('');
  return escapeHtml(visible(String(content)));
}

/** A value that a form sends back: nothing in it is replaced by what shows it. */
export function asTyped(value: string | number | null | undefined): Html {
  return new Html(escapeHtml(String(value ?? '')));
}

/** What would change the text around it unseen: control characters, and those that turn the direction of writing. */
const unseen = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

function visible(text: string): string {
  return text.replace(unseen, (character) => {
    if (character === '\n' || character === '\t') return character;
    const code = character.codePointAt(0) ?? 0;
    return code < 0x20
      ? String.fromCodePoint(0x2400 + code)
      : `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
}
