/** Who does not want to be written to: the list, numbers that are added and removed, and files that are read. */
import type { components } from '../../../generated/management.d.ts';
import { type Html, html } from '../../docs/render/html.ts';
import { counted } from '../../platform/text/counted.ts';
import { operationForm } from '../forms/operation-form.ts';
import { at, button, facts, notice, panel, state, top } from '../layout/parts.ts';
import { labelOf, wordOf } from '../layout/values.ts';
import { type Listing, listRoute } from '../lists/list-page.ts';
import { type OptOut, optOutColumns, scopeOf } from '../messages/opt-out-table.ts';
import type { ConsoleRoute, Page, PageContext } from '../page.ts';

const path = '/opt-outs';
const imports = `${path}/imports`;

/** The number is posted, so that it is in no address. */
const lookUp = html`<form class="filters" method="post" action="${at('/find')}" role="search" aria-label="Look up a number"><label><span>Has this number opted out?</span><input name="find" type="search" inputmode="tel" autocomplete="off" required></label><button class="button" type="submit">Look up</button></form>`;

const optOuts: Listing<OptOut> = {
  ...optOutColumns,
  path,
  title: 'Opt-outs',
  one: 'opt-out',
  under: 'Messages to these numbers are not submitted, but refunded. The newest entries come first.',
  empty: 'Nobody has opted out.',
  actions: ({ may }) => [
    may('addOptOuts') && button(`${path}/add`, 'Add', 'main'),
    may('removeOptOuts') && button(`${path}/remove`, 'Remove'),
    button(imports, 'Imports'),
  ],
  said: ({ query }) => {
    const done = query.get('changed') ?? '';
    return /^\d{1,3}$/.test(done) && notice('good', `${counted(Number(done), 'number')} changed.`);
  },
  above: () => lookUp,
};

const changed = ({ changed }: { changed: number }) => ({ redirect: `${path}?changed=${changed}` });
const trail = (): [string, string][] => [[path, 'Opt-outs']];

const forms: ConsoleRoute[] = [
  ...operationForm({
    operation: 'addOptOuts',
    path: `${path}/add`,
    heading: 'Add opt-outs',
    submit: 'Add',
    intro:
      'These numbers get no more messages, not even those that wait. If you name no team, this holds for all teams.',
    ...{ section: path, trail, done: changed },
  }),
  ...operationForm({
    operation: 'removeOptOuts',
    path: `${path}/remove`,
    heading: 'Remove opt-outs',
    submit: 'Remove',
    intro: 'Only if the people agreed again. How and when is kept in the audit log.',
    ...{ section: path, trail, done: changed },
  }),
  ...operationForm({
    operation: 'importOptOuts',
    path: `${imports}/new`,
    heading: 'Import opt-outs',
    submit: 'Import',
    intro:
      'Up to 10,000 numbers, one in each line: paste them, or choose a file. Longer lists: npx tarishi opt-out import.',
    fromFile: 'lines',
    section: path,
    trail: () => [...trail(), [imports, 'Imports']],
    done: (body) => ({ redirect: importLink(body) }),
  }),
];

/** Imports of two teams may have the same name. */
const importLink = ({ id, teamId }: { id: string; teamId?: string }) =>
  `${imports}/${id}${teamId === undefined ? '' : `?${new URLSearchParams({ teamId })}`}`;

const listOfImports: Listing<components['schemas']['OptOutImport']> = {
  path: imports,
  operation: 'listOptOutImports',
  title: 'Imports of opt-outs',
  one: 'import',
  section: path,
  empty: 'Nothing was imported.',
  trail: () => [[path, 'Opt-outs']],
  actions: ({ may }) => [may('importOptOuts') && button(`${imports}/new`, 'Import', 'main')],
  columns: [
    { import: 'id' },
    { 'whose messages': 'teamId' },
    { state: 'read' },
    'invalid',
    { since: 'createdAt' },
  ],
  cells: {
    id: (one) => html`<a href="${at(importLink(one))}">${one.id}</a>`,
    teamId: scopeOf,
    read: progressOf,
  },
};

function progressOf({ read, lines }: { read: number; lines: number }): Html {
  return read === lines
    ? state('good', 'check', 'Done')
    : state('moving', 'clock', `${read.toLocaleString('en')} of ${lines.toLocaleString('en')}`);
}

async function importPage(page: PageContext): Promise<Page> {
  const { api, times, params, query } = page;
  const { body } = await api.call('getOptOutImport', {
    path: { importId: params.id ?? '' },
    query: { teamId: query.get('teamId') ?? undefined },
  });
  const { id, problems, lines, read, added, unchanged, invalid, parts } = body;
  return {
    title: `Import ${id}`,
    section: path,
    refreshes: read < lines,
    body: html`${top({
      heading: id,
      trail: [
        [path, 'Opt-outs'],
        [imports, 'Imports'],
      ],
      state: progressOf(body),
    })}<div class="stack">${panel(
      'Import',
      facts([
        ['Whose messages', scopeOf(body, page)],
        ['Product', wordOf(body.product)],
        ['Which', wordOf(body.target)],
        ...Object.entries({ parts, lines, read, added, unchanged, invalid }).map(
          ([name, count]) => [labelOf(name), count.toLocaleString('en')] as const,
        ),
        ['Since', times.show(body.createdAt)],
      ]),
    )}${
      problems.length > 0 &&
      panel(
        'Lines without a valid number',
        html`<ul>${problems.map(({ part, line }) => html`<li>Part ${part}, line ${line}</li>`)}</ul>`,
      )
    }</div>`,
  };
}

export const optOutRoutes: ConsoleRoute[] = [
  listRoute(optOuts),
  ...forms,
  listRoute(listOfImports),
  { method: 'GET', path: `${imports}/:id`, operations: ['getOptOutImport'], handle: importPage },
];
