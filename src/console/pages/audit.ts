/** The audit log: who changed what, when, and how it was before. */
import { own } from '../../platform/text/own.ts';
import { filterForm, filtersOf, filterValues, isNarrowed, nextPage } from '../forms/filters.ts';
import { type Content, html } from '../html.ts';
import { at, table, top } from '../layout/parts.ts';
import { labelOf, show } from '../layout/values.ts';
import type { ConsoleRoute, PageContext } from '../page.ts';
import { namesOfChanged } from '../resources/changes.ts';
import { definitions } from '../resources/definitions.ts';

const path = '/audit';
const entriesOnPage = 50;

async function auditPage(page: PageContext) {
  const operation = page.api.operation('listAuditEntries');
  const filters = filtersOf(operation, page);
  const { body } = await page.api.call('listAuditEntries', {
    query: { ...filterValues(filters, page), limit: entriesOnPage },
  });
  return {
    title: 'Audit log',
    body: html`${top({ heading: 'Audit log' })}<div class="stack">${await filterForm(path, filters, page)}
<section class="panel" aria-label="Changes">${table({
      caption: 'Changes, the newest first',
      columns: [
        { name: 'When' },
        { name: 'Who' },
        { name: 'What' },
        { name: 'Team' },
        { name: 'Changes' },
      ].filter(({ name }) => name !== 'Team' || page.reader.teamId === undefined),
      rows: body.items.map((entry) => [
        page.times.show(entry.at),
        html`${entry.actor.name}${entry.actor.kind !== 'user' && html`<span class="sub">${entry.actor.kind}</span>`}`,
        html`${entry.action}<span class="sub">${entry.noun} ${linked(entry, page)}</span>`,
        ...(page.reader.teamId === undefined ? [show('teamId', {}, entry.teamId, page) ?? '–'] : []),
        changesOf(entry, page),
      ]),
      empty: isNarrowed(filters, page) ? 'No change matches. Change the filter.' : 'Nothing was changed yet.',
    })}</section>
${nextPage(path, page.query, body.next)}</div>`,
  };
}

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

export const auditRoutes: ConsoleRoute[] = [
  { method: 'GET', path, operations: ['listAuditEntries'], handle: auditPage },
];
