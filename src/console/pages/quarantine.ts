/** What could not be recorded because of its own data, and another attempt at it. */
import type { components } from '../../../generated/management.d.ts';
import { html } from '../../docs/render/html.ts';
import { buttonForm } from '../forms/button-form.ts';
import { notice, state } from '../layout/parts.ts';
import { type Listing, listRoute } from '../lists/list-page.ts';
import type { ConsoleRoute } from '../page.ts';

const path = '/quarantine';

const quarantine: Listing<components['schemas']['QuarantinedItem']> = {
  path,
  operation: 'listQuarantinedItems',
  title: 'Quarantine',
  one: 'item',
  under: 'Reports and other news that could not be recorded because of their own data. All others went on.',
  caption: 'Quarantined items, the oldest first',
  empty: 'Nothing is in quarantine.',
  said: ({ query }) =>
    query.get('done') === 'retryQuarantinedItem' && notice('good', 'It is being tried again.'),
  columns: ['item', { why: 'reason' }, 'attempts', { since: 'createdAt' }, { do: 'retrying' }],
  cells: {
    item: ({ round, item }) => `${round} ${item}`,
    retrying: ({ id, retrying }, page) => {
      if (retrying) return state('moving', 'clock', 'Tried again soon');
      return page.may('retryQuarantinedItem') ? retryForm(id) : '–';
    },
  },
};

const retryForm = (id: string) =>
  buttonForm(`${path}/${id}/retry`, html`Retry<span class="unseen"> item ${id}</span>`, 'small');

export const quarantineRoutes: ConsoleRoute[] = [
  listRoute(quarantine),
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
