/** Small pieces of HTML that every part of a page is made of. */

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
