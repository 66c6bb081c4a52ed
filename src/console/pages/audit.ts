/** The audit log: who changed what, when, and how it was before. */
import type { components } from '../../../generated/management.d.ts';
import { type Content, html } from '../../docs/render/html.ts';
import { own } from '../../platform/text/own.ts';
import { at } from '../layout/parts.ts';
import { labelOf, show } from '../layout/values.ts';
import { type Listing, listRoute } from '../lists/list-page.ts';
import type { ConsoleRoute, PageContext } from '../page.ts';
import { namesOfChanged } from '../resources/changes.ts';
import { definitions } from '../resources/definitions.ts';

type AuditEntry = components['schemas']['AuditEntry'];

const audit: Listing<AuditEntry> = {
  path: '/audit',
  operation: 'listAuditEntries',
  title: 'Audit log',
  one: 'change',
  caption: 'Changes, the newest first',
  empty: 'Nothing was changed yet.',
  columns: [{ when: 'at' }, { who: 'actor' }, { what: 'action' }, 'teamId', { changes: 'after' }],
  cells: {
    actor: ({ actor: { kind, name } }) =>
      html`${name}${kind !== 'user' && html`<span class="sub">${kind}</span>`}`,
    action: (entry, page) =>
      html`${entry.action}<span class="sub">${entry.noun} ${linked(entry, page)}</span>`,
    after: changesOf,
  },
};

function linked({ noun, nounId }: { noun: string; nounId: string }, { may }: PageContext): Content {
  const definition = definitions.find((one) => one.noun === noun);
  const mayOpen =
    definition !== undefined &&
    (noun !== 'connector' || may('getConnector')) &&
    (noun !== 'user' || may('getUser'));
  return mayOpen
    ? html`<a href="${at(`${definition.path}/${encodeURIComponent(nounId)}`)}">${nounId}</a>`
    : nounId;
}

interface Changed {
  before?: object | undefined;
  after?: object | undefined;
}

/** Each property as it was and as it became. */
function changesOf({ before, after }: Changed, page: PageContext): Content {
  const lines = namesOfChanged({ before, after }).map((name) => {
    const [old, fresh] = [before, after].map((one) => own(one as Record<string, unknown> | undefined, name));
    return html`<li>${labelOf(name)}: ${before !== undefined && html`<del>${shown(name, old, page)}</del> `}${after !== undefined && html`<ins>${shown(name, fresh, page)}</ins>`}</li>`;
  });
  if (lines.length === 0) return '–';
  const list = html`<ul class="plain changed-values">${lines}</ul>`;
  return lines.length <= 3
    ? list
    : html`<details><summary>${lines.length} properties</summary>${list}</details>`;
}

const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function shown(name: string, value: unknown, page: PageContext): Content {
  const schema = typeof value === 'string' && instant.test(value) ? { format: 'date-time' } : undefined;
  return show(name, schema, value, page, { inList: true }) ?? 'none';
}

export const auditRoutes: ConsoleRoute[] = [listRoute(audit)];
