/** Who does not want to be written to: the list, numbers that are added and removed, and files that are read. */

import { counted } from '../../platform/text/counted.ts';
import { asRefused } from '../errors.ts';
import { filterForm, filtersOf, filterValues, nextPage } from '../forms/filters.ts';
import { type Fault, faultsOf, fieldsOf, hiddenFields, renderForm, valuesIn } from '../forms/form.ts';
import { type Html, html } from '../html.ts';
import { at, button, facts, notice, panel, state, table, top } from '../layout/parts.ts';
import { labelOf, wordOf } from '../layout/values.ts';
import { optOutTable, scopeOf } from '../messages/opt-out-table.ts';
import type { ConsoleRoute, Outcome, Page, PageContext } from '../page.ts';

const path = '/opt-outs';
const imports = `${path}/imports`;

/** A number in a query would be in the history of browsers: people are looked up by the search. */
const filtersOfList = (page: PageContext, operation: 'listOptOuts' | 'listOptOutImports') =>
  filtersOf(page.api.operation(operation), page).filter(({ input }) => input.name !== 'phone');

/** The number is posted, so that it is in no address. */
const lookUp = ({ session }: PageContext): Html =>
  html`<form class="filters" method="post" action="${at('/find')}" role="search" aria-label="Look up a number">${hiddenFields({ formToken: session.formToken })}<label><span>Has this number opted out?</span><input name="find" type="search" inputmode="tel" autocomplete="off" required></label><button class="button" type="submit">Look up</button></form>`;

async function listPage(page: PageContext): Promise<Page> {
  const { api, query, may } = page;
  const filters = filtersOfList(page, 'listOptOuts');
  const { body } = await api.call('listOptOuts', { query: filterValues(filters, page) });
  const done = query.get('changed');
  return {
    title: 'Opt-outs',
    body: html`${top({
      heading: 'Opt-outs',
      under: 'Messages to these numbers are not submitted, but refunded. The newest entries come first.',
      actions: [
        may('addOptOuts') && button(`${path}/add`, 'Add', 'main'),
        may('removeOptOuts') && button(`${path}/remove`, 'Remove'),
        button(imports, 'Imports'),
      ],
    })}${
      done !== null && /^\d{1,3}$/.test(done) && notice('good', `${counted(Number(done), 'number')} changed.`)
    }<div class="stack">${lookUp(page)}${filters.length > 0 && (await filterForm(path, filters, page))}
<section class="panel" aria-label="Opt-outs">${optOutTable(body.items, page, 'Nobody has opted out.')}</section>${nextPage(path, query, body.next)}</div>`,
  };
}

const forms = {
  addOptOuts: {
    path: `${path}/add`,
    heading: 'Add opt-outs',
    submit: 'Add',
    intro:
      'These numbers get no more messages, not even those that wait. If you name no team, this holds for all teams.',
  },
  removeOptOuts: {
    path: `${path}/remove`,
    heading: 'Remove opt-outs',
    submit: 'Remove',
    intro: 'Only if the people agreed again. How and when is kept in the audit log.',
  },
  importOptOuts: {
    path: `${imports}/new`,
    heading: 'Import opt-outs',
    submit: 'Import',
    intro:
      'Up to 10,000 numbers, one in each line: paste them, or choose a file. Longer lists: npx tarishi opt-out import.',
  },
} as const;

type FormOperation = keyof typeof forms;

/** The browser reads it into the field, where it can be looked at before it is sent. */
const chooseFile = (field: string): Html =>
  html`<div class="field" data-fills hidden><label for="file">File <span class="optional">fills the lines below</span></label><input id="file" type="file" accept=".csv,.txt,text/plain,text/csv" data-fills="${field}"></div>`;

async function formPage(
  page: PageContext,
  operation: FormOperation,
  faults: readonly Fault[] = [],
): Promise<Page> {
  const { heading, submit, intro, path: action } = forms[operation];
  const back = operation === 'importOptOuts' ? imports : path;
  return {
    title: heading,
    section: path,
    ...(faults.length > 0 ? { status: 400 } : {}),
    body: html`${top({ heading, trail: [[path, 'Opt-outs']] })}${await renderForm(page, {
      fields: fieldsOf(page.api.operation(operation), page),
      ...{ filled: page.form, faults, action, submit, back },
      intro: html`<p class="lead">${intro}</p>${operation === 'importOptOuts' && chooseFile('field-lines')}`,
    })}`,
  };
}

async function send(page: PageContext, operation: FormOperation): Promise<Outcome> {
  const { api, form } = page;
  const fields = fieldsOf(api.operation(operation), page);
  const body = valuesIn(fields, form) as never;
  try {
    if (operation === 'importOptOuts') {
      const answer = await api.call(operation, { body });
      return { redirect: importLink(answer.body) };
    }
    const answer = await api.call(operation, { body });
    return { redirect: `${path}?changed=${answer.body.changed}` };
  } catch (error) {
    return await formPage(page, operation, faultsOf(asRefused(error), fields));
  }
}

/** Imports of two teams may have the same name. */
const importLink = ({ id, teamId }: { id: string; teamId?: string }) =>
  `${imports}/${id}${teamId === undefined ? '' : `?${new URLSearchParams({ teamId })}`}`;

async function importsPage(page: PageContext): Promise<Page> {
  const { api, times, query, may } = page;
  const filters = filtersOfList(page, 'listOptOutImports');
  const { body } = await api.call('listOptOutImports', { query: filterValues(filters, page) });
  return {
    title: 'Imports of opt-outs',
    section: path,
    body: html`${top({
      heading: 'Imports',
      trail: [[path, 'Opt-outs']],
      actions: [may('importOptOuts') && button(`${imports}/new`, 'Import', 'main')],
    })}<div class="stack">${filters.length > 0 && (await filterForm(imports, filters, page))}
<section class="panel" aria-label="Imports">${table({
      caption: 'Imports of opt-outs',
      columns: [
        { name: 'Import' },
        { name: 'Whose messages' },
        { name: 'State' },
        { name: 'Invalid', isNumber: true },
        { name: 'Since' },
      ],
      rows: body.items.map((item) => [
        html`<a href="${at(importLink(item))}">${item.id}</a>`,
        scopeOf(item, page),
        progressOf(item),
        item.invalid.toLocaleString('en'),
        times.show(item.createdAt),
      ]),
      empty: 'Nothing was imported.',
    })}</section>${nextPage(imports, query, body.next)}</div>`,
  };
}

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
  { method: 'GET', path, operations: ['listOptOuts'], handle: listPage },
  ...(Object.keys(forms) as FormOperation[]).flatMap((operation): ConsoleRoute[] => [
    {
      ...{ method: 'GET', path: forms[operation].path, operations: [operation] },
      handle: (page) => formPage(page, operation),
    },
    {
      ...{ method: 'POST', path: forms[operation].path, operations: [operation] },
      handle: (page) => send(page, operation),
    },
  ]),
  { method: 'GET', path: imports, operations: ['listOptOutImports'], handle: importsPage },
  { method: 'GET', path: `${imports}/:id`, operations: ['getOptOutImport'], handle: importPage },
];
