/** The ledger of a team: every entry, and why it was made. */

import { filterForm, filtersOf, filterValues, isNarrowed, nextPage } from '../forms/filters.ts';
import { html } from '../html.ts';
import { table, top, written } from '../layout/parts.ts';
import { show } from '../layout/values.ts';
import type { ConsoleRoute, PageContext } from '../page.ts';
import { accountName } from './account-names.ts';

const entriesOnPage = 50;

async function ledgerPage(page: PageContext) {
  const { api, params, query, times } = page;
  const teamId = params.team ?? '';
  const path = `/teams/${teamId}/ledger`;
  const filters = filtersOf(api.operation('listLedgerEntries'), page);
  const { body } = await api.call('listLedgerEntries', {
    path: { teamId },
    query: { ...filterValues(filters, page), limit: entriesOnPage },
  });
  return {
    title: `Ledger of team ${teamId}`,
    section: '/accounts',
    body: html`${top({
      heading: 'Ledger',
      trail: [
        ['/teams', 'Teams'],
        [`/teams/${teamId}`, teamId],
        [`/teams/${teamId}/accounts`, 'Accounts'],
      ],
    })}<div class="stack">${await filterForm(path, filters, page)}
<section class="panel" aria-label="Entries">${table({
      caption: 'Entries, the newest first',
      columns: [
        { name: 'When' },
        { name: 'Account' },
        { name: 'Units', isNumber: true },
        { name: 'Why' },
        { name: 'Reference' },
        { name: 'Note' },
      ],
      rows: body.items.map((entry) => [
        times.show(entry.createdAt),
        accountName(entry),
        signed(entry.units),
        reasonOf(entry.reason),
        show('requestId', {}, entry.requestId, page) ?? entry.reference ?? '–',
        entry.note === undefined ? '–' : written(entry.note),
      ]),
      empty: isNarrowed(filters, page) ? 'No entry matches. Change the filter.' : 'There is no entry yet.',
    })}</section>${nextPage(path, query, body.next)}</div>`,
  };
}

/** A minus as typographers write it. */
export const signed = (units: number) => `${units < 0 ? '−' : '+'}${Math.abs(units).toLocaleString('en')}`;

const reasons: ReadonlyMap<string, string> = new Map([
  ['TopUp', 'Top-up'],
  ['Debit', 'Sent'],
  ['Refund', 'Refund'],
  ['Correction', 'Correction'],
]);

export const reasonOf = (reason: string) => reasons.get(reason) ?? reason;

export const ledgerRoutes: ConsoleRoute[] = [
  { method: 'GET', path: '/teams/:team/ledger', operations: ['listLedgerEntries'], handle: ledgerPage },
];
