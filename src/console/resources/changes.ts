/** Entries of the audit log in short: who did what, when, and which properties changed. */

import { type Content, html } from '../../docs/render/html.ts';
import { changedNames, type Shown } from '../../http/management/columns.ts';
import type { ZonedTimes } from '../layout/times.ts';
import { labelOf } from '../layout/values.ts';

interface Entry {
  at: string;
  actor: { kind: string; name: string };
  action: string;
  before?: object | undefined;
  after?: object | undefined;
}

export function changesTable(entries: readonly Entry[], times: ZonedTimes): Content {
  if (entries.length === 0) return html`<p class="empty">Nothing has changed yet.</p>`;
  return html`<ol class="changes">${entries.map((entry) => {
    const names =
      entry.before === undefined || entry.after === undefined ? [] : changedNames(entry as unknown as Shown);
    return html`<li><b>${entry.actor.name}</b>: ${entry.action}${names.length > 0 && `: ${names.map(labelOf).join(', ')}`}<span class="sub">${times.show(entry.at)}${
      entry.actor.kind !== 'user' && html`, ${entry.actor.kind}`
    }</span></li>`;
  })}</ol>`;
}

/** The properties that differ, without the time of the change, which the entry has. */
export function namesOfChanged({ before, after }: Pick<Entry, 'before' | 'after'>): string[] {
  const entry = { before: before ?? null, after: after ?? null } as unknown as Shown;
  return changedNames(entry).filter((name) => name !== 'updatedAt');
}
