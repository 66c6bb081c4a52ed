/** What could not be recorded because of its own data, and another attempt at it. */
import { buttonForm } from '../forms/button-form.ts';
import { nextPage } from '../forms/filters.ts';
import { html } from '../html.ts';
import { notice, state, table, top, written } from '../layout/parts.ts';
import type { ConsoleRoute, PageContext } from '../page.ts';

const path = '/quarantine';

async function quarantinePage(page: PageContext) {
  const { api, times, query, may } = page;
  const { body } = await api.call('listQuarantinedItems', {
    query: { cursor: query.get('cursor') ?? undefined },
  });
  const mayRetry = may('retryQuarantinedItem');
  return {
    title: 'Quarantine',
    body: html`${top({
      heading: 'Quarantine',
      under:
        'Reports and other news that could not be recorded because of their own data. All others went on.',
    })}${query.get('done') === 'retryQuarantinedItem' && notice('good', 'It is being tried again.')}
<div class="stack"><section class="panel" aria-label="Quarantined items">${table({
      caption: 'Quarantined items, the oldest first',
      columns: [
        { name: 'Item' },
        { name: 'Why' },
        { name: 'Attempts', isNumber: true },
        { name: 'Since' },
        ...(mayRetry ? [{ name: 'Do' }] : []),
      ],
      rows: body.items.map((item) => [
        html`${item.round} ${item.item}`,
        written(item.reason),
        item.attempts,
        times.show(item.createdAt),
        ...(mayRetry
          ? [item.retrying ? state('moving', 'clock', 'Tried again soon') : retryForm(item.id, page)]
          : []),
      ]),
      empty: 'Nothing is in quarantine.',
    })}</section>${nextPage(path, query, body.next)}</div>`,
  };
}

const retryForm = (id: string, { session }: PageContext) =>
  buttonForm(`${path}/${id}/retry`, session, html`Retry<span class="unseen"> item ${id}</span>`, 'small');

export const quarantineRoutes: ConsoleRoute[] = [
  { method: 'GET', path, operations: ['listQuarantinedItems'], handle: quarantinePage },
  {
    method: 'POST',
    path: `${path}/:id/retry`,
    operations: ['retryQuarantinedItem'],
    handle: async ({ api, params: { id = '' } }) => {
      await api.call('retryQuarantinedItem', { path: { itemId: id } });
      return { redirect: `${path}?done=retryQuarantinedItem` };
    },
  },
];
