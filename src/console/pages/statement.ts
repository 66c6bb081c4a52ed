/** The statement of an account, its verification, and its file. */

import type { components } from '../../../generated/management.d.ts';
import { type Html, html } from '../../docs/render/html.ts';
import { csvParts, pagesOf } from '../../http/management/pages.ts';
import { faultOf, type Statement } from '../../ledger/statement.ts';
import { counted } from '../../platform/text/counted.ts';
import { filterForm, filtersOf, filterValues, nextPage } from '../forms/filters.ts';
import { at, facts, notice, panel, top } from '../layout/parts.ts';
import { type ItemColumns, itemTable } from '../lists/item-table.ts';
import type { ConsoleRoute, Download, Outcome, PageContext } from '../page.ts';
import { accountIn, accountName, accountTrail } from './account-names.ts';
import { reasonOf, referenceOf, signed } from './ledger.ts';

const entriesOnPage = 100;
/** What a verification reads at once, and at most. */
const entriesOnPart = 1_000;
const mostParts = 20;

async function statementPage(page: PageContext): Promise<Outcome> {
  const { api, params, query } = page;
  const teamId = params.team ?? '';
  const path = `/teams/${teamId}/statement`;
  const account = accountIn(query);
  if (account === undefined) return { redirect: `/teams/${encodeURIComponent(teamId)}/accounts` };
  const filters = filtersOf(api.operation('getStatement'), page);
  const values = filterValues(filters, page);
  const periods = filters.filter(({ input }) => input.schema.format === 'date-time');
  const { body } = await api.call('getStatement', {
    path: { teamId },
    query: { ...values, limit: entriesOnPage },
  });
  const { opening, closing, entries, next } = body;
  const verified = query.has('verify') ? await verify(page, values) : undefined;
  const same = new URLSearchParams(query);
  same.delete('cursor');
  return {
    title: `Statement of team ${teamId}`,
    section: '/accounts',
    body: html`${top({
      heading: `Statement: ${accountName(account)}`,
      trail: accountTrail(teamId),
    })}<div class="stack">${await filterForm(path, periods, page, { kept: { ...account } })}${verified}
${panel(
  'In short',
  facts([
    ['Before', standWords(opening)],
    ['After', standWords(closing)],
    ['Closing hash', html`<code class="id">${closing.hash}</code>`],
  ]),
  {
    foot: html`<div class="actions"><form method="get" action="${at(path)}">${[...same].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button class="button" name="verify" value="hashes" type="submit">Verify</button></form><a class="button" href="${at(`${path}.csv`)}?${same.toString()}">Download CSV</a></div>`,
  },
)}
<section class="panel" aria-label="Entries">${itemTable(entriesShown, entries, page, {
      caption: 'Entries, the oldest first',
      empty: 'There is no entry in this time.',
    })}</section>${nextPage(path, query, next)}</div>`,
  };
}

const standWords = ({ balance, entries }: { balance: number; entries: number }) =>
  `${counted(balance, 'unit')} after ${counted(entries, 'entry', 'entries')}`;

const entriesShown: ItemColumns<components['schemas']['StatementEntry']> = {
  operation: 'getStatement',
  within: 'entries',
  columns: [
    { entry: 'position' },
    { when: 'at' },
    'units',
    'balance',
    { why: 'reason' },
    'reference',
    'note',
  ],
  cells: {
    units: ({ units }) => signed(units),
    reason: ({ reason }) => reasonOf(reason),
    reference: referenceOf,
  },
};

/** Computes the hash of each entry anew; each part opens as the one before it closes. */
async function verify({ api, params }: PageContext, query: Readonly<Record<string, unknown>>): Promise<Html> {
  const operation = api.operation('getStatement');
  let cursor: string | undefined;
  let before: Statement | undefined;
  for (let part = 0; part < mostParts; part += 1) {
    const { body } = await api.send(operation, {
      path: { teamId: params.team },
      query: { ...query, cursor, limit: entriesOnPart },
    });
    const statement = body as Statement & { next?: string };
    const fault =
      before !== undefined && before.closing.hash !== statement.opening.hash
        ? `entry ${statement.opening.entries + 1} does not follow the one before it`
        : faultOf(statement);
    if (fault !== undefined) return notice('bad', html`<p><b>The statement was altered:</b> ${fault}.</p>`);
    before = statement;
    cursor = statement.next;
    if (cursor === undefined)
      return notice(
        'good',
        html`<p><b>All hashes fit.</b> The statement closes with <code class="id">${statement.closing.hash}</code>.</p>`,
      );
  }
  return notice(
    'fair',
    `The hashes of the first ${(mostParts * entriesOnPart).toLocaleString('en')} entries fit. Choose a shorter time for the rest, or run npx tarishi statement verify.`,
  );
}

async function download(page: PageContext): Promise<Download> {
  const { api, params } = page;
  const filters = filtersOf(api.operation('exportStatement'), page);
  const pages = pagesOf((more) =>
    api.send(api.operation('exportStatement'), {
      path: { teamId: params.team },
      query: { ...filterValues(filters, page), ...more },
    }),
  );
  // What is wrong is said before anything is sent.
  const first = await pages.next();
  return { file: { name: `statement-${params.team}.csv`, type: 'text/csv', parts: csvParts(first, pages) } };
}

export const statementRoutes: ConsoleRoute[] = [
  { method: 'GET', path: '/teams/:team/statement', operations: ['getStatement'], handle: statementPage },
  { method: 'GET', path: '/teams/:team/statement.csv', operations: ['exportStatement'], handle: download },
];
