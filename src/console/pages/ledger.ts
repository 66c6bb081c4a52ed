/** The ledger of a team: every entry, and why it was made. */
import type { components } from '../../../generated/management.d.ts';
import type { Content } from '../../docs/render/html.ts';
import { show } from '../layout/values.ts';
import { type Listing, listRoute } from '../lists/list-page.ts';
import type { ConsoleRoute, PageContext } from '../page.ts';
import { accountName, accountTrail } from './account-names.ts';

/** A message that was sent is found by its request. */
export const referenceOf = (
  { requestId, reference }: { requestId?: string; reference?: string },
  page: PageContext,
): Content => show('requestId', {}, requestId, page) ?? reference ?? '–';

const ledger: Listing<components['schemas']['LedgerEntry']> = {
  path: '/teams/:teamId/ledger',
  operation: 'listLedgerEntries',
  title: 'Ledger',
  one: 'entry',
  caption: 'Entries, the newest first',
  empty: 'There is no entry yet.',
  section: '/accounts',
  trail: ({ params: { teamId = '' } }) => accountTrail(teamId),
  columns: [{ when: 'createdAt' }, { account: 'product' }, 'units', { why: 'reason' }, 'reference', 'note'],
  cells: {
    product: accountName,
    units: ({ units }) => signed(units),
    reason: ({ reason }) => reasonOf(reason),
    reference: referenceOf,
  },
};

/** A minus as typographers write it. */
export const signed = (units: number) => `${units < 0 ? '−' : '+'}${Math.abs(units).toLocaleString('en')}`;

const reasons: ReadonlyMap<string, string> = new Map([
  ['TopUp', 'Top-up'],
  ['Debit', 'Sent'],
  ['Refund', 'Refund'],
  ['Correction', 'Correction'],
]);

export const reasonOf = (reason: string) => reasons.get(reason) ?? reason;

export const ledgerRoutes: ConsoleRoute[] = [listRoute(ledger)];
